import { fill, sayKept, type Translate } from '@ithings/contract/text.ts'

/** A value as its reader has it, Chinese unless told: what is kept in its texts is said. */
export function said<T>(value: T, by: Translate = fill): T {
  if (typeof value === 'string') return sayKept(value, by) as T
  if (Array.isArray(value)) return value.map((one) => said(one, by)) as T
  if (value === null || typeof value !== 'object' || Object.getPrototypeOf(value) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, said(one, by)])) as T
}
