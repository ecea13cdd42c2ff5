import type { Scene } from '@ithings/contract/features/scenes/info.ts'
import type { SentencePart } from '@ithings/contract/rules/sentence.ts'
import { t } from '@ithings/contract/text.ts'
import { RichText } from '#kit/rich-text.tsx'
import { withIndex } from '#kit/with-index.ts'

/** A sentence of the server or of a draft; what a reader looks for stands out. */
export const Sentence = ({ parts, flat = false }: { parts: readonly SentencePart[]; flat?: boolean }) => (
  <>
    {withIndex(parts).map(({ no, item: { text, strong } }) =>
      strong && !flat ? <b key={no}>{text}</b> : <span key={no}>{text}</span>,
    )}
  </>
)

export const textOf = (parts: readonly SentencePart[]) => parts.map(({ text }) => text).join('')

/** Full-width brackets bring their own space. */
export const isBracketed = (when: readonly SentencePart[]) => textOf(when).startsWith('（') // not a text: looked for

type Told = Pick<Scene, 'triggerType' | 'triggerText' | 'whenText' | 'thenText'>

function wholeRule({ triggerType, triggerText, whenText, thenText }: Told): string {
  const actions = textOf(thenText) || t('没有动作', { context: 'sentence' })
  // English says "When" of what happens, not of a time.
  const values = { trigger: textOf(triggerText), actions, context: triggerType }
  if (whenText.length === 0) return t('当 {trigger}，则 {actions}', values)
  const all = { ...values, conditions: textOf(whenText).trim() }
  return isBracketed(whenText)
    ? t('当 {trigger}，且{conditions}，则 {actions}', all)
    : t('当 {trigger}，且 {conditions}，则 {actions}', all)
}

/** The whole rule as one text: for files and tooltips. */
export function ruleText(scene: Told): string {
  const rule = wholeRule(scene)
  return rule.charAt(0).toUpperCase() + rule.slice(1)
}

/** screens.md 10: 当 … / 则 …, one line each. */
export function SceneRule({ scene }: { scene: Told }) {
  const { triggerText, whenText, thenText } = scene
  return (
    <div className="scene-rule size-13" title={ruleText(scene)}>
      <div className="scene-rule-line flex gap-8">
        <i className="fixed bold tone-processing">{t('当')}</i>
        <span className="cut softer">
          <RichText
            text={whenText.length === 0 ? '<0/>' : isBracketed(whenText) ? t('<0/>，且<1/>') : t('<0/>，且 <1/>')}
            parts={[<Sentence key="trigger" parts={triggerText} />, <Sentence key="when" parts={whenText} flat />]}
          />
        </span>
      </div>
      <div className="scene-rule-line flex gap-8">
        <i className="fixed bold tone-processing">{t('则')}</i>
        <span className="cut softer">{thenText.length > 0 ? <Sentence parts={thenText} flat /> : t('没有动作')}</span>
      </div>
    </div>
  )
}
