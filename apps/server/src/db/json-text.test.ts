import { expect, test } from 'vitest'
import { jsonText } from './json-text.ts'

test.each([
  ['a NUL', { s: 'a\u0000b' }, { s: 'a\ufffdb' }],
  ['half a pair', { s: '\ud83d' }, { s: '\ufffd' }],
  ['the other half', { s: '\ude00x' }, { s: '\ufffdx' }],
])('%s is replaced, because PostgreSQL refuses it', (_, value, stored) => {
  expect(JSON.parse(jsonText(value))).toEqual(stored)
})

test('the letters backslash u0000, whole pairs and other escapes stay', () => {
  const value = { s: '\\u0000', emoji: '😀', line: 'a\nb\u001f' }
  expect(JSON.parse(jsonText(value))).toEqual(value)
})
