import { expect, test } from 'vitest'
import { Pace } from './pace.ts'

/** Pieces of work of 8 ms each, beside others that keep the loop busy for a part of the time. @returns ms worked */
function worksFor(seconds: number, others: number): number {
  let [now, worked, lookedAt, own] = [0, 0, 0, 0]
  const pace = new Pace({
    now: () => now,
    utilization() {
      const used = Math.min(1, others + own / (now - lookedAt))
      lookedAt = now
      own = 0
      return used
    },
  })
  while (now < seconds * 1000) {
    const wait = pace.waitMs()
    if (wait > 0) {
      now += Math.max(wait, 1)
      continue
    }
    // As long again as is measured.
    pace.work(() => {
      now += 4
    })
    now += 4
    worked += 8
    own += 8
  }
  return worked
}

test('rules have the loop to themselves when nothing else is to be done', () => {
  expect(worksFor(10, 0) / 10_000).toBeGreaterThan(0.85)
})

test('rules take what ingest leaves, but for a part that it may grow into', () => {
  const share = worksFor(10, 0.5) / 10_000
  expect(share).toBeGreaterThan(0.3)
  expect(share).toBeLessThan(0.5)
})

test('beside a loop that has no time left rules come on, with a tenth of it', () => {
  const share = worksFor(60, 1) / 60_000
  expect(share).toBeGreaterThan(0.08)
  expect(share).toBeLessThan(0.15)
})

test('who is stopped does not wait', async () => {
  const pace = new Pace({ now: () => 0, utilization: () => 1 })
  pace.worked(60_000)
  await pace.turn(AbortSignal.abort())
  expect(pace.waitMs()).toBeGreaterThan(0)
})
