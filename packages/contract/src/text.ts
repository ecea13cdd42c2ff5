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

let translate = fill

/** In the language of whoever is spoken to. A text that is in that language already stays as it is. */
export const t: Translate = (text, values) => translate(text, values)

export function speakBy(how: Translate): void {
  translate = how
}
