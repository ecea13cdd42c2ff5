import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { makePassOn } from './hear-changes.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function setUp(send?: () => Promise<void>) {
  const sent: string[] = []
  const failures: unknown[] = []
  const passOn = makePassOn({
    gapMs: 500,
    send: async (topic) => {
      sent.push(topic)
      await send?.()
    },
    failed: (error) => void failures.push(error),
  })
  return { passOn, sent, failures }
}

test('a thousand changes within the gap are told twice: at once and at its end', () => {
  const { passOn, sent } = setUp()
  for (let i = 0; i < 1000; i++) passOn.tell('alarm')
  expect(sent).toEqual(['alarm'])
  vi.advanceTimersByTime(500)
  expect(sent).toEqual(['alarm', 'alarm'])
  vi.advanceTimersByTime(5000)
  expect(sent).toHaveLength(2)
})

test('topics do not wait for each other, and a quiet one is told at once again', () => {
  const { passOn, sent } = setUp()
  passOn.tell('alarm')
  passOn.tell('scene')
  vi.advanceTimersByTime(500)
  passOn.tell('alarm')
  expect(sent).toEqual(['alarm', 'scene', 'alarm'])
})

test('after stop nothing is told any more', () => {
  const { passOn, sent } = setUp()
  passOn.tell('alarm')
  passOn.tell('alarm')
  passOn.stop()
  vi.advanceTimersByTime(5000)
  expect(sent).toHaveLength(1)
})

test('a failure is noted and the next change is told again', async () => {
  const { passOn, sent, failures } = setUp(() => Promise.reject(new Error('away')))
  passOn.tell('alarm')
  await vi.advanceTimersByTimeAsync(500)
  passOn.tell('alarm')
  expect(failures).toHaveLength(1)
  expect(sent).toHaveLength(2)
})
