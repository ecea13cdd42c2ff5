import type { ConfigVersion } from '@ithings/contract/features/remote-config.ts'
import { expect, test } from 'vitest'
import { draftOf, firstText, isChanged } from './drafts.ts'

const version = (id: number, content: string): ConfigVersion => ({
  id,
  content,
  createTime: '1700000000',
  note: '旧说明',
  bytes: content.length,
  userName: 'administrator',
  restoredFrom: 0,
})

test('a draft begins with the newest text, without its note, and remembers what it was based on', () => {
  expect(draftOf(version(7, '{"a":1}'))).toEqual({ content: '{"a":1}', note: '', basedOn: 7 })
})

test('a product without a configuration begins with an empty object', () => {
  expect(draftOf(version(0, ''))).toEqual({ content: firstText, note: '', basedOn: 0 })
  expect(JSON.parse(firstText)).toEqual({})
})

test('only another text is a change', () => {
  const latest = version(7, '{"a":1}')
  expect(isChanged({ content: '{"a":1}', note: '只有说明', basedOn: 7 }, latest)).toBe(false)
  expect(isChanged({ content: '{"a": 1}', note: '', basedOn: 7 }, latest)).toBe(true)
})
