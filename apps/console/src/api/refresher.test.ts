import { type QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { applyNotice } from './live.ts'
import { makeQueryClient } from './query-client.ts'
import { makeRefresher } from './refresher.ts'

let client: QueryClient
beforeEach(() => {
  vi.useFakeTimers()
  client = makeQueryClient()
})
afterEach(() => {
  client.clear()
  vi.useRealTimers()
})

const slowness = 100

/** A query on screen whose answers take 100 ms. */
function show(key: readonly unknown[]) {
  const seen = { asked: 0, answered: 0, cancelled: 0 }
  const observer = new QueryObserver(client, {
    queryKey: key,
    queryFn: ({ signal }) => {
      seen.asked++
      signal.addEventListener('abort', () => void seen.cancelled++)
      return new Promise((resolve) =>
        setTimeout(() => {
          seen.answered++
          resolve(seen.asked)
        }, slowness),
      )
    },
  })
  observer.subscribe(() => undefined)
  return seen
}

test('a change makes the query ask again', async () => {
  const seen = show(['latest', { deviceName: 'd' }])
  await vi.advanceTimersByTimeAsync(slowness)
  makeRefresher(client).changed(['latest'])
  await vi.advanceTimersByTimeAsync(slowness)
  expect(seen).toEqual({ asked: 2, answered: 2, cancelled: 0 })
})

test('changes that come faster than answers starve nothing, and the last one is asked for', async () => {
  const seen = show(['latest'])
  const { changed } = makeRefresher(client)
  for (let i = 0; i < 50; i++) {
    changed(['latest'])
    await vi.advanceTimersByTimeAsync(10)
  }
  const before = seen.asked
  expect(seen.cancelled).toBe(0)
  expect(before).toBeLessThanOrEqual(7)
  changed(['latest'])
  await vi.advanceTimersByTimeAsync(5 * slowness)
  expect(seen.asked).toBeGreaterThan(before)
  expect(seen.answered).toBe(seen.asked)
  const quiet = seen.asked
  await vi.advanceTimersByTimeAsync(10 * slowness)
  expect(seen.asked).toBe(quiet)
})

test('a change during the first answer asks once more after it', async () => {
  const seen = show(['latest'])
  await vi.advanceTimersByTimeAsync(slowness / 2)
  makeRefresher(client).changed(['latest'])
  await vi.advanceTimersByTimeAsync(3 * slowness)
  expect(seen).toEqual({ asked: 2, answered: 2, cancelled: 0 })
})

test('when watching begins, an answer on its way is good enough and an older one is not', async () => {
  const seen = show(['latest'])
  const { uncertain } = makeRefresher(client)
  uncertain(['latest'])
  await vi.advanceTimersByTimeAsync(3 * slowness)
  expect(seen.asked).toBe(1)
  uncertain(['latest'])
  await vi.advanceTimersByTimeAsync(3 * slowness)
  expect(seen.asked).toBe(2)
})

test('only the queries of what changed are asked; all of them when that is unknown', async () => {
  const values = show(['values'])
  const presence = show(['read'])
  await vi.advanceTimersByTimeAsync(slowness)
  const queries = { values: [['values']], presence: [['read']], info: [['read']] }
  const refresher = makeRefresher(client)
  applyNotice(refresher, queries, ['values', 'something-new'])
  await vi.advanceTimersByTimeAsync(slowness)
  expect([values.asked, presence.asked]).toEqual([2, 1])
  applyNotice(refresher, queries, undefined)
  await vi.advanceTimersByTimeAsync(slowness)
  expect([values.asked, presence.asked]).toEqual([3, 2])
})

test('with a gap many changes of many rows are one question', async () => {
  const seen = show(['devices'])
  await vi.advanceTimersByTimeAsync(slowness)
  const { changed, uncertain } = makeRefresher(client, 1000)
  for (let row = 0; row < 20; row++) uncertain(['devices'])
  for (let row = 0; row < 20; row++) {
    changed(['devices'])
    await vi.advanceTimersByTimeAsync(20)
  }
  await vi.advanceTimersByTimeAsync(600 + slowness)
  expect(seen).toMatchObject({ asked: 2, answered: 2 })
  changed(['devices'])
  await vi.advanceTimersByTimeAsync(1000 + slowness)
  expect(seen).toMatchObject({ asked: 3, answered: 3 })
})
