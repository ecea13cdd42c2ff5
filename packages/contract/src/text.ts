/**
 * Words for people. A sentence stands in the code in Chinese, and that sentence is its key: `t('共 {count} 台', { count })`.
 * Chinese needs nothing more; a program that speaks other languages says how they are found (docs/design/language.md).
 */
export type Language = 'zh' | 'en'

/** Of a tag such as en-US or zh_CN. */
export const languageOf = (tag: string | null | undefined): Language | undefined => {
  const short = tag?.slice(0, 2).toLowerCase()
  return short === 'zh' || short === 'en' ? short : undefined
}

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
  /** Of words that were found by asking, and cannot be found again: what they are in English. */
  readonly english?: string | undefined
}

export const phrase = (sentence: string, values?: TextValues): Phrase => ({ text: sentence, values })

let translate = fill
let translateToEnglish = fill

/** In the language of whoever is spoken to. A text that is in that language already stays as it is. */
export const t: Translate = (text, values) => translate(text, values)

export function speakBy(how: Translate): void {
  translate = how
}

/** Who keeps words that are found by asking has to know how they are in English, too. */
export function speakEnglishBy(how: Translate): void {
  translateToEnglish = how
}

const isChinese = (by: Translate): boolean => (by === t ? translate : by) === fill

/** What can be said: a function says by `t` what it finds when it is asked. */
export type Words = Phrase | string | (() => string)

/** Texts among the values are said, too; several values are a list. */
export function say(what: Words, by: Translate = t): string {
  if (typeof what === 'string') return sayKept(by(what), by)
  if (typeof what === 'function') return speaking(by, what)
  const { text: sentence, values, english } = what
  if (english !== undefined) return isChinese(by) ? sentence : english
  if (values === undefined) return sayKept(by(sentence), by)
  const inWords = (value: unknown): unknown => {
    // A key of the catalogues; "not a text" only for the check, which looks for `t`.
    if (Array.isArray(value)) return value.map(inWords).join(by('、'))
    if (typeof value === 'string') return sayKept(value, by)
    return isPhrase(value) || isAsked(value) ? say(value, by) : value
  }
  const said = Object.entries(values).map(([name, value]) => [name, inWords(value)])
  // Devices can send what looks like a sentence of ours: one whose values hold one another must not grow without end.
  const longest = said.reduce((most, [, value]) => Math.max(most, String(value).length), 0)
  if (longest * sentence.split('{').length > mostSaid) return by(sentence)
  return by(sentence, Object.fromEntries(said))
}
const mostSaid = 200_000

/** What is said by `t` meanwhile is said by `by`; the work is done at once, not later. */
export function speaking<T>(by: Translate, work: () => T): T {
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

/** Begin and end of a sentence that is kept; nobody types them. */
const [begin, end] = ['\u0001', '\u0002']
const keptSentence = new RegExp(`${begin}(\\[\\{"text":[^${end}]*)${end}`, 'g')
/** The beginning within JSON that is a text itself. */
const keptInJson = '\\u0001[{\\"text\\":'

/** Parts of one sentence, as an error and its detail. */
export const sayParts = (parts: readonly Words[], by: Translate): string =>
  parts.map((part) => say(part, by)).join(isChinese(by) ? ':' : ': ')

/**
 * A sentence as a column or an answer holds it: the text and its values. Who hands it to somebody says it in his language;
 * answers of endpoints are said by the server in one place. It may stand among other text, and among values of others.
 */
export const kept = (sentence: string, values?: TextValues): string => keep([phrase(sentence, values)])

export const keep = (parts: readonly Words[]): string => {
  const phrases = parts.map((part) => (typeof part === 'string' ? phrase(part) : part))
  const asked = (work: () => string): Phrase => ({ text: say(work, fill), english: say(work, translateToEnglish) })
  return `${begin}${JSON.stringify(phrases, (_, value) => (isAsked(value) ? asked(value) : value))}${end}`
}

/** Sentences that are put together by `t`, as a column holds them: every piece with its values. */
export const keeping = <T>(work: () => T): T => speaking(kept, work)

/** As it is said in Chinese. */
const lengthOf = (value: unknown): number => say({ text: '{value}', values: { value } }, fill).length

const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`)

/** The first of a list as far as there is room, and a sign that there are more. */
function shorterList(list: readonly unknown[], most: number): unknown[] {
  let room = most - 1
  const after = list.findIndex((one) => {
    room -= lengthOf(one) + 1
    return room < 0
  })
  return after < 0 ? [...list] : [...list.slice(0, after), '…']
}

function shorter(value: unknown, most: number): unknown {
  if (typeof value === 'string') return value.includes(begin) ? clipKept(value, most) : cut(value, most)
  if (Array.isArray(value)) return shorterList(value, most)
  return isPhrase(value) ? shorterPhrase(value, most) : value
}

/** The longest give first, until no more than `most` is said. */
function shortenWithin(values: Record<string, unknown>, most: number, said: () => number): void {
  const longestFirst = Object.entries(values)
    .map(([name, value]) => ({ name, length: lengthOf(value) }))
    .toSorted((a, b) => b.length - a.length)
  for (const { name, length } of longestFirst) {
    const over = said() - most
    if (over <= 0) return
    values[name] = shorter(values[name], Math.max(1, length - over))
  }
}

function shorterPhrase({ text, values, english }: Phrase, most: number): Phrase {
  // The same in English is about twice as long.
  if (english !== undefined) return { text: cut(text, most), english: cut(english, 2 * most) }
  const left = { ...values }
  shortenWithin(left, most, () => say({ text, values: left }, fill).length)
  return { text, values: left }
}

/** Every sentence in a text gives of its values; undefined where that is not enough. */
function shorterText(text: string, most: number): string | undefined {
  // What the pattern catches is every second piece: the parts of a sentence.
  const pieces = text.split(keptSentence).map((piece, at) => (at % 2 === 0 ? [piece] : JSON.parse(piece)))
  const parts = Object.fromEntries(
    pieces.flatMap((list, at) => list.map((one: Words, i: number) => [`${at} ${i}`, one])),
  )
  const partsAt = (at: number, list: readonly unknown[]) => list.map((_, i) => parts[`${at} ${i}`])
  const whole = () => pieces.map((list, at) => (at % 2 === 0 ? parts[`${at} 0`] : keep(partsAt(at, list)))).join('')
  shortenWithin(parts, most, () => sayKept(whole(), fill).length)
  return sayKept(whole(), fill).length <= most ? whole() : undefined
}

/**
 * A text that may hold sentences cannot be cut between its marks: their values give what is too much, so that everybody
 * still reads it in his language. Where no value can give so much, it is cut and Chinese.
 */
export function clipKept(text: string, most: number): string {
  if (text.length <= most) return text
  const said = sayKept(text, fill)
  if (said.length <= most) return text
  try {
    return (text.includes(begin) && shorterText(text, most)) || said.slice(0, most)
  } catch {
    // Somebody else's text that only looks like it.
    return said.slice(0, most)
  }
}

/** Says what is kept in a text; everything else in it stays as it is. */
export function sayKept(text: string, by: Translate = t): string {
  if (text.includes(begin)) {
    return text.replace(keptSentence, (all, parts: string) => {
      try {
        return sayParts(JSON.parse(parts), by)
      } catch {
        return all
      }
    })
  }
  if (!text.includes(keptInJson)) return text
  try {
    return JSON.stringify(JSON.parse(text), saying(by))
  } catch {
    // Somebody else's text that only looks like it.
    return text
  }
}

/** For `JSON.stringify`: says what is kept in any text of a value. */
export const saying = (by: Translate) => (_name: string, value: unknown) =>
  typeof value === 'string' ? sayKept(value, by) : value
