import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makeScheduler } from './scheduler.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('work runs at its time, earliest first, with one timer for all', () => {
  const scheduler = makeScheduler()
  const ran: number[] = []
  const times = Array.from({ length: 200 }, (_, i) => ((i * 7919) % 1000) + 1)
  for (const ms of times) scheduler.after(ms, () => ran.push(ms))
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(500)
  expect(ran).toEqual(times.filter((ms) => ms <= 501).toSorted((a, b) => a - b))
  vi.advanceTimersByTime(600)
  expect(ran).toEqual(times.toSorted((a, b) => a - b))
  expect(vi.getTimerCount()).toBe(0)
})

test('cancelled work does not run and holds no timer', () => {
  const scheduler = makeScheduler()
  const ran: string[] = []
  const cancel = scheduler.after(10, () => ran.push('a'))
  scheduler.after(20, () => ran.push('b'))
  cancel()
  cancel()
  expect(scheduler.waiting).toBe(1)
  vi.advanceTimersByTime(100)
  expect(ran).toEqual(['b'])
  scheduler.after(50, () => ran.push('c'))()
  expect(vi.getTimerCount()).toBe(0)
})

test('work may plan more work', () => {
  const scheduler = makeScheduler()
  const ran: number[] = []
  const step = () => {
    ran.push(Math.round(performance.now()))
    if (ran.length < 3) scheduler.after(100, step)
  }
  const begin = Math.round(performance.now())
  scheduler.after(100, step)
  vi.advanceTimersByTime(1000)
  expect(ran.map((time) => time - begin)).toEqual([100, 200, 300])
})

test('waits longer than a timer can be are kept', () => {
  const scheduler = makeScheduler()
  const ran: string[] = []
  scheduler.after(40 * 24 * 3_600_000, () => ran.push('late'))
  vi.advanceTimersByTime(39 * 24 * 3_600_000)
  expect(ran).toEqual([])
  vi.advanceTimersByTime(2 * 24 * 3_600_000)
  expect(ran).toEqual(['late'])
})
