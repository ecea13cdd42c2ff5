import { expect, test, vi } from 'vitest'
import { makeDueTimer } from './due-timer.ts'

test('what is due is told in the order of its time, not before it', () => {
  vi.useFakeTimers({ now: 1_000 })
  try {
    const told: string[] = []
    const timer = makeDueTimer<string>(
      { now: () => Date.now() },
      (what) => told.push(what),
      () => true,
    )
    timer.add(1_300, 'c')
    timer.add(1_100, 'a')
    timer.add(1_200, 'b')
    timer.add(900, 'late')
    vi.advanceTimersByTime(99)
    expect(told).toEqual(['late'])
    vi.advanceTimersByTime(101)
    expect(told).toEqual(['late', 'a', 'b'])
    vi.advanceTimersByTime(5_000)
    expect(told).toEqual(['late', 'a', 'b', 'c'])
    expect(timer.size).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('a clock that is set is noticed, and a thousand moments come out sorted', () => {
  vi.useFakeTimers({ now: 0 })
  try {
    let shift = 0
    const told: number[] = []
    const timer = makeDueTimer<number>(
      { now: () => Date.now() + shift },
      (what) => told.push(what),
      () => true,
    )
    const moments = Array.from({ length: 1_000 }, (_, n) => 10_000 + ((n * 7_919) % 1_000))
    for (const at of moments) timer.add(at, at)
    vi.advanceTimersByTime(2_000)
    expect(told).toEqual([])
    shift = 20_000
    vi.advanceTimersByTime(1_000)
    expect(told).toEqual(moments.toSorted((a, b) => a - b))
  } finally {
    vi.useRealTimers()
  }
})

test('what nobody wants any more does not pile up', () => {
  const timer = makeDueTimer<number>(
    { now: () => 0 },
    () => undefined,
    (what) => what >= 99_990,
  )
  for (let n = 0; n < 100_000; n++) timer.add(1_000_000 + n, n)
  expect(timer.size).toBeLessThanOrEqual(10_010)
  timer.stop()
})
