/** Text that PostgreSQL can hold: neither NUL nor, in jsonb, half a surrogate pair. For what devices say. */

// A backslash pair is skipped, so that the letters "\u0000" of a text are not taken for the character.
const unstorable = /\\(?:\\|u0000|u[dD][89abAB][0-9a-fA-F]{2}|u[dD][c-fC-F][0-9a-fA-F]{2})/g

export function jsonText(value: unknown): string {
  const text = JSON.stringify(value)
  // JSON.stringify writes whole pairs as characters: what it escapes is half of one. The replacement is a character too,
  // so that the text stays the same when it is read and written again.
  return text.includes('\\u') ? text.replace(unstorable, (found) => (found === '\\\\' ? found : '\ufffd')) : text
}

export const storableText = (text: string): string => text.replaceAll('\0', '\ufffd')
