import { expect, test } from 'vitest'
import { allowance, beginPace, type Pace, spend } from './pace.ts'

const start = 1_800_000_000_000

/** Takes all that is allowed at each tick. @returns how many were taken then, and in all */
function drive(perMinute: number, ticks: Iterable<number>) {
  let pace: Pace = beginPace(perMinute, start)
  const taken: Array<{ at: number; count: number }> = []
  let sum = 0
  for (const at of ticks) {
    const { allowed: count, pace: counted } = allowance(pace, perMinute, start + at)
    pace = spend(counted, perMinute, count)
    sum += count
    taken.push({ at, count })
  }
  // As the columns are.
  expect([pace.from, pace.count].every(Number.isInteger)).toBe(true)
  return { taken, sum }
}

const every = function* (gapMs: number, untilMs: number) {
  for (let at = 0; at <= untilMs; at += gapMs) yield at
}

test('the first device is sent to at once, the second after its time', () => {
  expect(drive(6, every(200, 9_999)).sum).toBe(1)
  const { taken } = drive(6, every(200, 60_000))
  expect(taken.filter((one) => one.count > 0).map((one) => one.at)).toEqual([
    0, 10_000, 20_000, 30_000, 40_000, 50_000, 60_000,
  ])
})

test.each([1, 7, 59, 60, 61, 250, 999, 6_000, 60_000])('%i a minute is exact over two hours of ticks', (perMinute) => {
  const hours = 2
  expect(drive(perMinute, every(200, hours * 3_600_000)).sum).toBe(hours * 60 * perMinute + 1)
})

test('ticks that come late and unevenly lose nothing, fractions add up', () => {
  const ticks: number[] = []
  for (let at = 0, index = 0; at < 600_000; index += 1) {
    ticks.push(at)
    at += [90, 210, 333, 800, 7, 555][index % 6] ?? 0
  }
  const last = ticks.at(-1) ?? 0
  expect(drive(6_000, ticks).sum).toBe(Math.floor(last / 10) + 1)
})

test('after a time without ticks at most one second is made up for, then the rate goes on', () => {
  const { taken } = drive(6_000, [0, 200, 3_600_000, 3_600_200, 3_600_400])
  expect(taken.map((one) => one.count)).toEqual([1, 20, 100, 20, 20])
})

test('a slow rate makes up for one device only', () => {
  const { taken } = drive(2, [0, 200, 3_600_000, 3_600_200, 3_629_800, 3_630_000])
  expect(taken.map((one) => one.count)).toEqual([1, 0, 1, 0, 0, 1])
})

test('devices that were not there are given back, within one second’s worth', () => {
  const pace = spend(allowance(beginPace(6_000, start), 6_000, start + 1_000).pace, 6_000, 100)
  expect(allowance(pace, 6_000, start + 1_000).allowed).toBe(0)
  expect(allowance({ ...pace, count: pace.count - 40 }, 6_000, start + 1_000).allowed).toBe(40)
  expect(allowance({ ...pace, count: pace.count - 400 }, 6_000, start + 1_000).allowed).toBe(100)
})

test('a clock that was set back holds a run up for no longer than its own step', () => {
  const back = allowance({ from: start, count: 0 }, 6_000, start - 3_600_000)
  expect(back.allowed).toBe(0)
  expect(allowance(back.pace, 6_000, start - 3_600_000 + 200).allowed).toBe(20)
  // Servers whose clocks differ a little do not start the count anew.
  expect(allowance({ from: start, count: 0 }, 6_000, start - 100).pace).toEqual({ from: start, count: 0 })
})
