import { expect, test } from 'vitest'
import { dropCache, LocalCacheError, readCache, readCacheOr, writeCache } from './json-cache.ts'

class MemoryStorage implements Storage {
  rows = new Map<string, string>()
  get length() {
    return this.rows.size
  }
  clear() {
    this.rows.clear()
  }
  getItem(key: string) {
    return this.rows.get(key) ?? null
  }
  key(index: number) {
    return [...this.rows.keys()][index] ?? null
  }
  removeItem(key: string) {
    this.rows.delete(key)
  }
  setItem(key: string, value: string) {
    if (value.length > 100) throw new Error('quota exceeded')
    this.rows.set(key, value)
  }
}

test('a stored object comes back equal and a dropped one is gone', () => {
  const storage = new MemoryStorage()
  writeCache('mapData', { map: { accessKey: 'k' } }, storage)
  expect(readCache('mapData', storage)).toEqual({ map: { accessKey: 'k' } })
  dropCache('mapData', storage)
  expect(readCache('mapData', storage)).toBeUndefined()
})

test('spec 8: a failing write raises an error that names storing and the cause', () => {
  const write = () => writeCache('big', 'x'.repeat(200), new MemoryStorage())
  expect(write).toThrow(LocalCacheError)
  expect(write).toThrow('本地缓存存储失败：quota exceeded')
})

test('spec 8: a failing read raises an error that names reading and the cause', () => {
  const storage = new MemoryStorage()
  storage.setItem('bad', '{')
  expect(() => readCache('bad', storage)).toThrow(/^本地缓存读取失败：.+/)
})

test('a preference falls back when the stored text is broken or refused by its parser', () => {
  const storage = new MemoryStorage()
  storage.setItem('bad', '{')
  expect(readCacheOr('bad', String, 'fallback', storage)).toBe('fallback')
  storage.setItem('odd', '1')
  const refuse = (): string => {
    throw new Error('no')
  }
  expect(readCacheOr('odd', refuse, 'fallback', storage)).toBe('fallback')
})
