/**
 * Line breaks and blanks of a JSON text, nothing else: a configuration is delivered as it is written, and reading and
 * writing it anew would round long numbers and drop repeated keys.
 */
const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g
const unit = '  '

const tokensOf = (text: string): string[] => text.match(token) ?? []

export const minifyJson = (text: string): string => tokensOf(text).join('')

/** Two blanks a level; an empty object or list stays on its line. The text has to be JSON. */
export function formatJsonText(text: string): string {
  const tokens = tokensOf(text)
  let depth = 0
  let out = ''
  const newLine = () => `\n${unit.repeat(depth)}`
  tokens.forEach((one, i) => {
    const before = tokens[i - 1]
    const opened = before === '{' || before === '['
    if (one === '}' || one === ']') {
      depth--
      out += opened ? one : `${newLine()}${one}`
      return
    }
    if (opened || before === ',') out += newLine()
    if (before === ':') out += ' '
    out += one
    if (one === '{' || one === '[') depth++
  })
  return out
}
