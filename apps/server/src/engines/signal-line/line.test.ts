import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Line, type LineEnds, type OpenLine } from './line.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Hears itself for as long as it is not hung. */
async function openLine() {
  const gaps: number[] = []
  const state = { hung: false, ends: undefined as LineEnds | undefined }
  const line = new Line<OpenLine>({
    async open(ends) {
      state.ends = ends
      return {
        beat: async (text) => void (state.hung || ends.hear(text)),
        follow() {},
        leave() {},
        close: async () => {},
      }
    },
    patience: { everyMs: 5_000, silentMs: 10_000 },
    beat: 'beat',
    hear() {},
    addresses: () => [],
    gap: () => gaps.push(performance.now()),
    failed() {},
  })
  await line.start()
  return { line, gaps, state }
}

test('a line that hears itself stays open', async () => {
  const { line, gaps } = await openLine()
  await vi.advanceTimersByTimeAsync(600_000)
  expect(gaps).toHaveLength(1)
  expect(line.open).toBeDefined()
  await line.stop()
})

test.for([0, 1, 2_500, 4_999])(
  'silent from %i ms after a beat on, it is given up 10 s after what it last heard',
  async (ms) => {
    const { line, gaps, state } = await openLine()
    await vi.advanceTimersByTimeAsync(5_000)
    const heardAt = performance.now() + ms
    await vi.advanceTimersByTimeAsync(ms)
    state.ends?.hear('a notice')
    state.hung = true
    await vi.advanceTimersByTimeAsync(9_999)
    expect(gaps).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(2)
    expect(line.open).toBeUndefined()
    expect((gaps[1] ?? 0) - heardAt).toBeLessThanOrEqual(10_001)
    state.hung = false
    await vi.advanceTimersByTimeAsync(1_000)
    expect(line.open).toBeDefined()
    await line.stop()
  },
)
