import type { Scene } from '@ithings/contract/features/scenes/info.ts'
import type { SentencePart } from '@ithings/contract/rules/describe-cron.ts'
import { t } from '@ithings/contract/text.ts'
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

/** Brackets bring their own space. */
export const andText = (when: readonly SentencePart[]) => (textOf(when).startsWith(t('（')) ? t('，且') : t('，且 '))

type Told = Pick<Scene, 'triggerText' | 'whenText' | 'thenText'>

/** The whole rule as one text: for files and tooltips. */
export const ruleText = ({ triggerText, whenText, thenText }: Told): string =>
  [
    t('当 {textOf}', { textOf: textOf(triggerText) }),
    whenText.length > 0 ? andText(whenText) + textOf(whenText) : '',
    t('，则 {textOf}', { textOf: textOf(thenText) || t('没有动作') }),
  ].join('')

/** screens.md 10: 当 … / 则 …, one line each. */
export function SceneRule({ scene }: { scene: Told }) {
  const { triggerText, whenText, thenText } = scene
  return (
    <div className="scene-rule size-13" title={ruleText(scene)}>
      <div className="scene-rule-line flex gap-8">
        <i className="fixed bold tone-processing">{t('当')}</i>
        <span className="cut softer">
          <Sentence parts={triggerText} />
          {whenText.length > 0 && andText(whenText)}
          <Sentence parts={whenText} flat />
        </span>
      </div>
      <div className="scene-rule-line flex gap-8">
        <i className="fixed bold tone-processing">{t('则')}</i>
        <span className="cut softer">{thenText.length > 0 ? <Sentence parts={thenText} flat /> : t('没有动作')}</span>
      </div>
    </div>
  )
}
