import {
  CheckCircleFilled,
  ClockCircleFilled,
  CloseCircleFilled,
  ExclamationCircleFilled,
  MinusCircleFilled,
} from '@ant-design/icons'
import { RunResult } from '@ithings/contract/features/scenes/info.ts'
import type { CheckedCondition } from '@ithings/contract/features/scenes/log.ts'
import { t } from '@ithings/contract/text.ts'
import { withIndex } from '#kit/with-index.ts'
import { resultLook } from './run-words.ts'
import './scene-runs.css'

const icons: Record<number, typeof CheckCircleFilled> = {
  [RunResult.running]: ClockCircleFilled,
  [RunResult.waiting]: ClockCircleFilled,
  [RunResult.success]: CheckCircleFilled,
  [RunResult.partly]: ExclamationCircleFilled,
  [RunResult.failed]: CloseCircleFilled,
}

/** How a run ended: shape and colour, and the word for those who see neither. */
export function RunIcon({ result }: { result: number }) {
  const { text, tone } = resultLook(result)
  const Icon = icons[result] ?? MinusCircleFilled
  return <Icon className={`run-icon tone-${tone}`} role="img" aria-label={t(text)} title={t(text)} />
}

/** Whether one condition or action held. */
const CheckIcon = ({ ok }: { ok: boolean }) =>
  ok ? (
    <CheckCircleFilled className="run-icon tone-success" role="img" aria-label={t('成立')} />
  ) : (
    <CloseCircleFilled className="run-icon tone-default" role="img" aria-label={t('不成立')} />
  )

/** What was looked at, with the value that was seen. */
export function CheckedConditions({ conditions }: { conditions: readonly CheckedCondition[] }) {
  return (
    <ul className="run-checks bare-list">
      {withIndex(conditions).map(({ no, item: { ok, text, value, level } }) => (
        <li key={no} style={{ paddingInlineStart: level * 20 }}>
          <CheckIcon ok={ok} />
          <span className={ok ? '' : 'softer'}>{text}</span>
          <b>{value || '—'}</b>
        </li>
      ))}
    </ul>
  )
}
