import { expect, test } from 'vitest'
import { makeTrialLimit } from './trial-limit.ts'

test('two at a time for each caller; one that ends or fails makes room', async () => {
  const limit = makeTrialLimit()
  const first = Promise.withResolvers<void>()
  const second = Promise.withResolvers<void>()
  const running = [limit(1, () => first.promise), limit(1, () => second.promise)]
  await expect(limit(1, async () => 'third')).rejects.toMatchObject({ code: 900002 })
  expect(await limit(2, async () => 'another')).toBe('another')
  first.resolve()
  await running[0]
  second.reject(new Error('failed'))
  await expect(running[1]).rejects.toThrow('failed')
  expect(await Promise.all([limit(1, async () => 3), limit(1, async () => 4)])).toEqual([3, 4])
})
