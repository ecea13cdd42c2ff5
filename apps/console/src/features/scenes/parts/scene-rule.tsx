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

type Told = Pick<Scene, 'triggerText' | 'whenText' | 'thenText'>

/** The whole rule as one text: for files and tooltips. */
export function ruleText({ triggerText, whenText, thenText }: Told): string {
  const trigger = textOf(triggerText)
  const actions = textOf(thenText) || t('没有动作')
  if (whenText.length === 0) return t('当 {trigger}，则 {actions}', { trigger, actions })
  const values = { trigger, conditions: textOf(whenText).trim(), actions }
  return isBracketed(whenText)
    ? t('当 {trigger}，且{conditions}，则 {actions}', values)
    : t('当 {trigger}，且 {conditions}，则 {actions}', values)
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
