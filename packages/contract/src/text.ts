/**
 * Words for people. A sentence stands in the code in Chinese, and that sentence is its key: `t('共 {count} 台', { count })`.
 * Chinese needs nothing more; a program that speaks other languages says how they are found (docs/design/language.md).
 */
export type TextValues = Readonly<Record<string, unknown>>
export type Translate = (text: string, values?: TextValues) => string

const places = /\{(\w+)(, number)?\}/g

/** Puts the values in their places: `{name}` as it is, `{count, number}` with separators of thousands. */
export const fill: Translate = (text, values) =>
  values === undefined
    ? text
    : text.replace(places, (place, name: string, number?: string) => {
        if (!(name in values)) return place
        return number ? Number(values[name]).toLocaleString('zh-CN') : String(values[name])
      })

/** A sentence that is not said yet: what is stored or thrown is said later, in the language of whoever reads it. */
export interface Phrase {
  readonly text: string
  readonly values?: TextValues | undefined
}

export const phrase = (sentence: string, values?: TextValues): Phrase => ({ text: sentence, values })

let translate = fill

/** In the language of whoever is spoken to. A text that is in that language already stays as it is. */
export const t: Translate = (text, values) => translate(text, values)

export function speakBy(how: Translate): void {
  translate = how
}

/** What can be said: a function says by `t` what it finds when it is asked. */
export type Words = Phrase | string | (() => string)

/** Texts among the values are said, too; several values are a list. */
export function say(what: Words, by: Translate = t): string {
  if (typeof what === 'string') return by(what)
  if (typeof what === 'function') return speaking(by, what)
  const { text: sentence, values } = what
  if (values === undefined) return by(sentence)
  const inWords = (value: unknown): unknown => {
    // A key of the catalogues; "not a text" only for the check, which looks for `t`.
    if (Array.isArray(value)) return value.map(inWords).join(by('、'))
    return isPhrase(value) || isAsked(value) ? say(value, by) : value
  }
  const said = Object.entries(values).map(([name, value]) => [name, inWords(value)])
  return by(sentence, Object.fromEntries(said))
}

function speaking(by: Translate, work: () => string): string {
  // `t` itself is what is spoken already; it would call itself without end.
  if (by === t) return work()
  const before = translate
  translate = by
  try {
    return work()
  } finally {
    translate = before
  }
}

const isAsked = (value: unknown): value is () => string => typeof value === 'function'
const isPhrase = (value: unknown): value is Phrase => typeof value === 'object' && value !== null && 'text' in value
