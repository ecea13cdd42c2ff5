/** What became of a message that was handed back is known later: then it counts, if it is there once. */
import { expect, test, vi } from 'vitest'
import { giveBack } from './after-commit.ts'
import type { CorridorContext, Passage } from './passage.ts'

const doubt = () => Object.assign(new Error('not stored in time'), { storedAfterAll: Promise.resolve(true) })
const entry = { deviceID: 7, values: { temp: 70 }, at: 1, seq: 2 }
const passage = () =>
  ({
    packet: { comesAgain: true, session: {} },
    entries: [{ up: { device: { deviceID: 7 }, deviceTime: 0 }, entry, print: 5, stored: false }],
  }) as unknown as Passage

/** @param answers of the database, one after the other; an error is thrown */
function corridorWith(answers: Array<boolean | Error>) {
  const told = vi.fn()
  const asked = vi.fn(async () => {
    const next = answers.shift() ?? new Error('asked too often')
    if (next instanceof Error) throw next
    return next
  })
  const corridor = {
    alone: false,
    count: () => undefined,
    repeats: { forget: () => undefined, settle: () => true },
    latest: { put: () => undefined },
    bus: { emit: told },
    doors: { isStoredAgain: asked },
    log: { error: () => undefined },
  } as unknown as CorridorContext
  return { corridor, told, asked }
}

test('a database that is away at first is asked again', async () => {
  const { corridor, told, asked } = corridorWith([new Error('away'), false])
  giveBack(passage(), corridor, doubt())
  await expect.poll(() => told.mock.calls.length).toBe(1)
  expect(asked).toHaveBeenCalledTimes(2)
  expect(asked).toHaveBeenLastCalledWith(entry)
})

test('what another server has stored too triggers there', async () => {
  const { corridor, told, asked } = corridorWith([true])
  giveBack(passage(), corridor, doubt())
  await expect.poll(() => asked.mock.calls.length).toBe(1)
  await Promise.all(asked.mock.results.map(({ value }) => value))
  expect(told).not.toHaveBeenCalled()
})
