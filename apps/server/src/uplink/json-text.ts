/** JSON text that PostgreSQL can read back: jsonb takes neither NUL nor half a surrogate pair. */
// A backslash pair is skipped, so that the letters "\u0000" of a text are not taken for the character.
const unstorable = /\\(?:\\|u0000|u[dD][89abAB][0-9a-fA-F]{2}|u[dD][c-fC-F][0-9a-fA-F]{2})/g

export function jsonText(value: unknown): string {
  const text = JSON.stringify(value)
  // JSON.stringify writes whole pairs as characters: what it escapes is half of one.
  return text.includes('\\u') ? text.replace(unstorable, (found) => (found === '\\\\' ? found : '\\ufffd')) : text
}
