/** How many columns a text takes in a terminal: Chinese characters take two, marks on letters none. */
const none = /\p{M}|\p{Cf}/u
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with it
const escapes = /\u001b\[[0-9;]*m/g

const widthOfOne = (character: string): number => (none.test(character) ? 0 : wide.test(character) ? 2 : 1)

export const widthOf = (text: string): number =>
  [...text.replace(escapes, '')].reduce((sum, one) => sum + widthOfOne(one), 0)

export const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - widthOf(text)))

/** At most so wide, with a mark where something is missing. */
export function clip(text: string, most: number): string {
  if (widthOf(text) <= most) return text
  let kept = ''
  let width = 0
  for (const one of text) {
    width += widthOfOne(one)
    if (width > most - 1) break
    kept += one
  }
  return `${kept}…`
}

/** What devices and people wrote must not steer the terminal. */
export const harmless = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (one) => (one === '\n' ? '⏎' : '�'))
