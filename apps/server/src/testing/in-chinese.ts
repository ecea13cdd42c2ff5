/** What a Chinese reader gets of something that holds kept sentences (docs/design/language.md), for results beside HTTP. */
import { fill, sayKept } from '@ithings/contract/text.ts'

export function inChinese<T>(value: T): T {
  const said = (one: unknown): unknown => {
    if (typeof one === 'string') return sayKept(one, fill)
    if (Array.isArray(one)) return one.map(said)
    if (typeof one !== 'object' || one === null || Object.getPrototypeOf(one) !== Object.prototype) return one
    return Object.fromEntries(Object.entries(one).map(([name, field]) => [name, said(field)]))
  }
  return said(value) as T
}
