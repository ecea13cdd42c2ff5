/** Numbers in the language that was chosen, as `{count, number}` of a text has them, whatever the browser speaks. */
import { readLanguage, tagOf } from '#language/language.ts'

const formats = new Map<string, Intl.NumberFormat>()

/** @param most decimals at most @param least so many in any case */
export function numberText(value: number, most = 3, least = 0): string {
  const tag = tagOf[readLanguage()]
  const key = `${tag} ${most} ${least}`
  const format =
    formats.get(key) ?? new Intl.NumberFormat(tag, { maximumFractionDigits: most, minimumFractionDigits: least })
  formats.set(key, format)
  return format.format(value)
}
