/** Values of a comparison while they are typed, by the type of the property (rules.md 3). Pure. */

import { valuesOf } from '@ithings/contract/rules/device-trigger.ts'
import { readTermValue, type TermType, termsOfType, termValueCount } from '@ithings/contract/rules/terms.ts'
import { t } from '@ithings/contract/text.ts'
import { DataType, type Define } from '@ithings/contract/thing-model/define.ts'
import { isNoLimit, rangeText } from '#blocks/model-form/define-summary.ts'

type Values = string | string[] | null | undefined

/** The public console wrote one plain text: as long as one value suffices, it stays one. */
export const writeValues = (before: Values, list: string[]): string | string[] =>
  typeof before === 'string' && list.length === 1 ? (list[0] ?? '') : list

/** As many values as the new operator takes, of those that are there. */
export function fitValues(before: Values, term: TermType): string | string[] {
  const [fewest, most] = termValueCount[term]
  const kept = valuesOf(before).slice(0, most)
  const missing = Math.max(0, fewest - kept.length)
  // A single empty field is no list of one empty text.
  return writeValues(before, [...kept, ...Array.from({ length: missing }, () => '')])
}

/** The operators of the type, and the one that is chosen even when it makes no sense (existing scenes). */
export function termChoices(define: Define | undefined, chosen: TermType | null | undefined): TermType[] {
  const fitting = define ? termsOfType[define.type] : (['eq', 'not', 'gt', 'gte', 'lt', 'lte', 'btw', 'in'] as const)
  return chosen && !fitting.includes(chosen) ? [...fitting, chosen] : [...fitting]
}

const limited = (define: Define) => define.type === DataType.int || define.type === DataType.float

export const noValue = '请填写比较值'

/** Why a comparison can never be true for this type, or undefined. */
export function valueProblem(define: Define, term: TermType, given: Values): string | undefined {
  if (!termsOfType[define.type].includes(term)) return t('这个类型的属性不支持此比较')
  const values = valuesOf(given)
  for (const text of values) {
    const value = readTermValue(define.type, text)
    if (value === undefined) return text === '' ? t(noValue) : t('「{text}」不是有效的值', { text })
    if (typeof value !== 'number') continue
    const { min, max } = define
    const below = !isNoLimit(min) && value < Number(min)
    const above = !isNoLimit(max) && value > Number(max)
    if (limited(define) && (below || above))
      return t('{text} 不在物模型的范围 {range} 内', { text, range: rangeText(define) })
    if (define.type === DataType.enum && define.mapping && !(String(value) in define.mapping)) {
      return t('物模型没有取值 {text}', { text })
    }
  }
  const [low, high] = values.map((text) => readTermValue(define.type, text))
  if (term === 'btw' && typeof low === 'number' && typeof high === 'number' && low > high) return t('起始值大于结束值')
  return undefined
}
