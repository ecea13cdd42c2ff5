import { expect, test } from 'vitest'
import { memoryStorage } from '#kit/testing/memory-storage.ts'
import { dropSaved, keptSends, newToken, noteSent, readSaved, readSent, saveRequest, withToken } from './sends.ts'

const sent = (n: number) => ({
  id: String(n),
  kind: 'property' as const,
  target: '',
  data: '{"freq":42}',
  productID: 'p1',
  deviceName: 'pump-1',
  at: n,
  code: 200,
  text: '成功',
  latency: 89,
})
const saved = (name: string, id = name) => ({
  id,
  name,
  productID: 'p1',
  kind: 'action' as const,
  target: 'flush',
  data: '{"seconds":30}',
})

test('screens.md 18: the last fifty sends are kept, the newest first', () => {
  const storage = memoryStorage()
  for (let n = 1; n <= keptSends + 5; n++) noteSent(sent(n), storage)
  expect(readSent(storage)).toHaveLength(50)
  expect(readSent(storage)[0]?.at).toBe(55)
})

test('a saved request replaces the one of its name and can be dropped', () => {
  const storage = memoryStorage()
  saveRequest(saved('反冲洗 30 秒', 'a'), storage)
  saveRequest(saved('反冲洗 30 秒', 'b'), storage)
  saveRequest(saved('其他', 'c'), storage)
  expect(readSaved(storage).map(({ id }) => id)).toEqual(['c', 'b'])
  expect(dropSaved('c', storage).map(({ id }) => id)).toEqual(['b'])
})

test('a fresh token takes the place of the old one under the keys that the message uses', () => {
  expect(JSON.parse(withToken('{"method":"control","clientToken":"a","msgToken":"a"}', 'n') ?? '')).toEqual({
    method: 'control',
    clientToken: 'n',
    msgToken: 'n',
  })
  expect(JSON.parse(withToken('{"method":"control"}', 'n') ?? '')).toEqual({ method: 'control', clientToken: 'n' })
  expect(withToken('[1]', 'n')).toBeUndefined()
  expect(withToken('{', 'n')).toBeUndefined()
})

test('tokens do not repeat', () => {
  expect(new Set(Array.from({ length: 100 }, newToken)).size).toBe(100)
})
