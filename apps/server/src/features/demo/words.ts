/** The demo fleet has its own names in each language: they are no words of the product, so the catalogues of it stay out. */
import { fill, type Language, type Translate } from '@ithings/contract/text.ts'
import english from './en.json' with { type: 'json' }

const catalogue: Record<string, string> = english
const chinese = /\p{Script=Han}/u

const inEnglish: Translate = (text, values) => {
  const found = catalogue[text]
  if (found === undefined && chinese.test(text)) throw new Error(`the English demo has no words for ${text}`)
  // Chinese writes one character for the degree, English two.
  return fill(found ?? text, values).replaceAll('℃', '°C')
}

export const wordsFor = (language: Language): Translate => (language === 'en' ? inEnglish : fill)

/** All texts of a description in the language of the fleet; numbers and identifiers stay. */
export function inWords<T>(what: T, t: Translate): T {
  if (typeof what === 'string') return t(what) as T
  if (Array.isArray(what)) return what.map((one) => inWords(one, t)) as T
  if (typeof what !== 'object' || what === null) return what
  return Object.fromEntries(Object.entries(what).map(([name, value]) => [name, inWords(value, t)])) as T
}
