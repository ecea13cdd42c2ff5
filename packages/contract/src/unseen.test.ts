import { expect, test } from 'vitest'
import { showUnseen } from './unseen.ts'

test.each([
  ['a terminal sequence', '\u001b[31mred', '\\u{1B}[31mred'],
  ['a right-to-left override', 'a\u202eb', 'a\\u{202E}b'],
  ['an isolate', '\u2066x\u2069', '\\u{2066}x\\u{2069}'],
  ['a zero-width space', 'pa\u200byload', 'pa\\u{200B}yload'],
  ['invisible tags', '\u{e0069}\u{e0067}', '\\u{E0069}\\u{E0067}'],
  ['variation selectors that carry bytes', 'x\u{e0101}\ufe01', 'x\\u{E0101}\\u{FE01}'],
  ['a filler that looks empty', '\u3164', '\\u{3164}'],
  ['a line separator', 'a\u2028b', 'a\\u{2028}b'],
  ['a control character of the upper half', '\u009b1m', '\\u{9B}1m'],
  ['half a pair', '\ud800', '\\u{D800}'],
  ['a lone carriage return', 'ok\rno', 'ok\\u{D}no'],
])('%s is written out', (_name, text, shown) => {
  expect(showUnseen(text)).toBe(shown)
})

test('what people write stays as it is: lines, tabs, Chinese, emoji', () => {
  const text = 'let a = 1\r\n\treturn a\n泵房 1 号 ❤️ é 한'
  expect(showUnseen(text)).toBe(text)
})
