import { expect, test } from 'vitest'
import { formatJsonText, minifyJson } from './reflow-json.ts'

const text = '{ "a" : 1, "list":[1, {"b": "x, {y}: \\"z\\" "}], "none":{}, "empty": [ ] }'

test('a text is laid out like JSON.stringify does it', () => {
  expect(formatJsonText(text)).toBe(JSON.stringify(JSON.parse(text), null, 2))
})

test('a text is made as short as JSON.stringify does it', () => {
  expect(minifyJson(text)).toBe(JSON.stringify(JSON.parse(text)))
})

test('long numbers and repeated keys stay as they are written', () => {
  const long = '{"id":12345678901234567890,"x":1.10,"x":2}'
  expect(minifyJson(formatJsonText(long))).toBe(long)
})

test('laying out twice changes nothing', () => {
  const once = formatJsonText(text)
  expect(formatJsonText(once)).toBe(once)
})
