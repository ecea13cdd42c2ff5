import { expect, test } from 'vitest'
import { checkBody } from './body-check.ts'

const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)

test('a usual body passes, whole characters outside the first plane too', () => {
  checkBody({ name: '水泵 🚰', list: [1, null, { on: true }], empty: '' })
  checkBody(nested(60))
  checkBody(undefined)
})

test.each([
  ['a character 0', { name: 'a\0b' }, '不能保存'],
  ['half a character', { list: [{ name: '\ud83d' }] }, '不能保存'],
  ['either in a name', { 'a\0': 1 }, '不能保存'],
  ['ten thousand levels', nested(10_000), '64 层'],
])('%s is refused', (_name, body, text) => {
  expect(() => checkBody(body)).toThrow(text)
})
