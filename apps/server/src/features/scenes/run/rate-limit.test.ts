import { expect, test } from 'vitest'
import { makeRateLimit } from './rate-limit.ts'

test('each scene has its own minute, which begins with its first run', () => {
  const rate = makeRateLimit(2)
  expect([rate.take(1, 0), rate.take(1, 30_000), rate.take(1, 59_999)]).toEqual([true, true, false])
  expect(rate.take(2, 59_999)).toBe(true)
  expect(rate.take(1, 60_000)).toBe(true)
})

test('forgetting those whose minute is over keeps the count of the others', () => {
  const rate = makeRateLimit(1)
  for (let scene = 0; scene < 2_000; scene += 1) expect(rate.take(scene, scene < 1_000 ? 0 : 50_000)).toBe(true)
  expect(rate.take(5_000, 60_000)).toBe(true)
  expect(rate.take(1_500, 60_000)).toBe(false)
  expect(rate.take(500, 60_000)).toBe(true)
})
