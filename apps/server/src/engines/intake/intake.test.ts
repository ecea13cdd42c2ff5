import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { StoreTimeout } from '#ports/journal.ts'
import { defaultLimits } from '../aedes/limits.ts'
import { Intake } from './intake.ts'

let intake: Intake
let working: Array<() => void> = []
let outcomes: Array<Error | undefined> = []

beforeEach(() => {
  vi.useFakeTimers()
  working = []
  outcomes = []
  intake = new Intake({ ...defaultLimits, perTurn: Number.POSITIVE_INFINITY })
  intake.start()
})
afterEach(() => {
  intake.stop()
  vi.useRealTimers()
})

function fill(): number {
  const before = intake.count
  while (intake.hasRoom()) {
    intake.take(
      100,
      () => new Promise<void>((resolve) => working.push(resolve)),
      (error) => outcomes.push(error),
    )
  }
  return intake.count - before
}

/** A store that does so many in each of so many tenths of a second, while devices send whatever is let in. */
async function storing(perTenth: number, tenths: number): Promise<void> {
  for (let i = 0; i < tenths; i++) {
    for (const done of working.splice(0, perTenth)) done()
    await vi.advanceTimersByTimeAsync(100)
    fill()
  }
}

test('a quick store is given as many as there may be at all', async () => {
  expect(fill()).toBe(500)
  await storing(5_000, 20)
  expect(intake.count).toBe(defaultLimits.totalInflight)
})

test('a store that becomes slow gets fewer, and none waits for so long that its connection is dropped', async () => {
  await storing(2_000, 40)
  expect(intake.count).toBe(defaultLimits.totalInflight)
  // A quarter of the pace: what is under way takes four seconds, what comes after it a bit more than one.
  await storing(500, 200)
  expect(intake.count).toBeLessThan(7_000)
  expect(intake.count).toBeGreaterThan(5_500)
  expect(outcomes.filter((error) => error instanceof StoreTimeout)).toEqual([])
  await storing(2_000, 40)
  expect(intake.count).toBe(defaultLimits.totalInflight)
})

test('whoever waits for room is woken when the store is quick again', async () => {
  fill()
  const wake = vi.fn()
  intake.whenRoom(wake)
  await vi.advanceTimersByTimeAsync(300)
  expect(wake).not.toHaveBeenCalled()
  for (const done of working.splice(0, 10)) done()
  await vi.advanceTimersByTimeAsync(1)
  expect(wake).toHaveBeenCalledTimes(1)
})

test('what is not done in time fails, once', async () => {
  fill()
  await vi.advanceTimersByTimeAsync(defaultLimits.storeMs + 500)
  expect(outcomes).toHaveLength(500)
  expect(outcomes[0]).toBeInstanceOf(StoreTimeout)
  for (const done of working) done()
  await vi.advanceTimersByTimeAsync(1)
  expect(outcomes).toHaveLength(500)
})
