import { expect, test } from 'vitest'
import { memoryStorage } from '#kit/testing/memory-storage.ts'
import { dropQuery, readQueries, saveQuery, searchOf } from './saved-queries.ts'

test('a search is kept without its page, the same one whatever order it was written in', () => {
  expect(searchOf(new URLSearchParams('resultType=2&page=7&content=水位'))).toBe(
    searchOf(new URLSearchParams({ content: '水位', resultType: '2' })),
  )
})

test('a name stands once, the newest first; dropped ones are gone', () => {
  const storage = memoryStorage()
  saveQuery({ name: '失败', search: 'resultType=2' }, storage)
  saveQuery({ name: '水位', search: 'content=level' }, storage)
  saveQuery({ name: '失败', search: 'resultType=2&time=4' }, storage)
  expect(readQueries(storage)).toEqual([
    { name: '失败', search: 'resultType=2&time=4' },
    { name: '水位', search: 'content=level' },
  ])
  expect(dropQuery('失败', storage)).toEqual([{ name: '水位', search: 'content=level' }])
})
