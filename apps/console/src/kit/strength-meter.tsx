import { t } from '@ithings/contract/text.ts'
import './parts.css'

const kinds = [/\d/, /[a-z]/, /[A-Z]/, /[^0-9A-Za-z]/]

export type Strength = 0 | 1 | 2 | 3

/** 0 nothing typed or refused, 1 weak, 2 fair, 3 strong: by length and by how many kinds of characters there are. */
export function strengthOf(password: string): Strength {
  const used = kinds.filter((kind) => kind.test(password)).length
  if (password.length < 8 || used < 2) return password ? 1 : 0
  return password.length >= 12 && used >= 3 ? 3 : 2
}

const words = ['', '弱', '中', '强'] as const
const tones = ['default', 'error', 'warning', 'success'] as const

/** Three bars and a word; says nothing before something is typed. */
export function StrengthMeter({ password }: { password: string | undefined }) {
  const strength = strengthOf(password ?? '')
  return (
    <div className={`strength line-20 row small gap-4 tone-${tones[strength]}`} role="status">
      {[1, 2, 3].map((bar) => (
        <span key={bar} className={bar <= strength ? 'strength-bar strength-bar-on' : 'strength-bar'} />
      ))}
      <span className="after-4">{strength > 0 && t('强度：{strength}', { strength: t(words[strength]) })}</span>
    </div>
  )
}
