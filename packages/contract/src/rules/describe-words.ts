/** What the sentences of triggers, conditions and actions have in common: which devices, compared with what, how long. */
import { t } from '#text.ts'
import { labelOf, type NamedValue, type SceneNames } from './scene-names.ts'
import { type TermType, termSigns } from './terms.ts'
import type { TimeUnit } from './time-units.ts'

/** `any` of them is enough, or `all` of them are meant. */
type Which = 'any' | 'all'

/** "P01、P02", and beyond two "P01 等 5 台设备". */
function deviceList(productID: string, devices: readonly string[], names: SceneNames, context: Which): string {
  const [first = '', second] = devices.map((name) => names.device(productID, name) ?? name)
  const count = devices.length
  if (count > 2) return t('{first} 等 {count} 台设备', { first, count, others: count - 1, context })
  return second === undefined ? first : t('{first}、{second}', { first, second, context })
}

export interface Selection {
  productID: string
  selector: string
  selectorValues?: string[] | null | undefined
}

export function selected(one: Selection, names: SceneNames, which: Which): string {
  const product = names.product(one.productID) ?? one.productID
  const values = one.selectorValues ?? []
  if (one.selector === 'fixed') return deviceList(one.productID, values, names, which)
  if (one.selector !== 'group')
    return which === 'any' ? t('任一{product}', { product }) : t('全部{product}', { product })
  const groups = values.map((id) => names.group(id) ?? t('分组 {id}', { id })).join(t('、'))
  return which === 'any'
    ? t('{groups}内任一{product}', { groups, product })
    : t('{groups}内全部{product}', { groups, product })
}

function termValues(what: NamedValue | undefined, term: TermType, given: readonly string[]): string {
  const joined = given
    .map((value) => labelOf(what, value))
    .join(term === 'btw' ? t(' 至 ', { context: 'between' }) : t('、'))
  return what?.unit ? `${joined} ${what.unit}` : joined
}

/** A label for logs: "水泵温度 > 80 ℃". */
export const termText = (
  name: string,
  what: NamedValue | undefined,
  { termType, values }: { termType: TermType; values: readonly string[] },
): string => `${name} ${t(termSigns[termType])} ${termValues(what, termType, values)}`

const comparisons: Record<TermType, string> = {
  eq: '= {value}',
  not: '≠ {value}',
  gt: '> {value}',
  gte: '≥ {value}',
  lt: '< {value}',
  lte: '≤ {value}',
  btw: '介于 {value}',
  in: '属于 {value}',
}

/** The same within a sentence, where other languages have words: "> 80 ℃". */
export const comparison = (what: NamedValue | undefined, term: TermType, values: readonly string[]): string =>
  t(comparisons[term], { value: termValues(what, term, values) })

/** In a sentence about devices that were named before (`who` is ''), Chinese leaves them out, English says "it" or "its". */
export const about = (who: string) => ({ who, context: who === '' ? 'same' : undefined })

export function durationText(count: number, unit: TimeUnit): string {
  if (unit === 'hours') return t('{count} 小时', { count })
  return unit === 'minutes' ? t('{count} 分钟', { count }) : t('{count} 秒', { count })
}

export function secondsText(seconds: number): string {
  if (seconds > 3600 && seconds % 3600 === 0) return durationText(seconds / 3600, 'hours')
  return seconds > 60 && seconds % 60 === 0 ? durationText(seconds / 60, 'minutes') : durationText(seconds, 'seconds')
}
