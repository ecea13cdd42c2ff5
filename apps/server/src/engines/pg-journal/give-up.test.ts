import { expect, test } from 'vitest'
import type { JournalEntry, Sender } from '#ports/journal.ts'
import { findGivenUp, type Waiting } from './give-up.ts'

const now = 100_000
const waiting = (deviceID: number, ms: number, sender?: Sender): Waiting => ({
  ...{ entry: { deviceID } as JournalEntry, sender, since: now - ms },
  ...{ cleaned: false, resolve: () => undefined, reject: () => undefined },
})
const gone: Sender = { ended: true }
const here: Sender = {}

test.each([
  ['nobody, as long as the store is quick', [waiting(1, 4_900, here)], []],
  [
    'what a device sent after a message that waits for 5 s',
    [waiting(1, 5_100), waiting(2, 4_000), waiting(1, 10)],
    [0, 2],
  ],
  ['what waits when its device has left', [waiting(1, 900, gone), waiting(1, 10, gone), waiting(2, 900, here)], [0, 1]],
  ['not what is stored in a moment', [waiting(1, 100, gone)], []],
  [
    'not what never comes again: a will, a message without acknowledgement',
    [waiting(1, 900, gone), waiting(1, 900)],
    [0],
  ],
  [
    'nothing of a device that is back: what it sent again relies on it',
    [waiting(1, 900, gone), waiting(1, 10, here)],
    [],
  ],
])('given up is %s', (_, unsent, expected) => {
  const isGivenUp = findGivenUp([[]], [[], unsent], now)
  expect([...unsent.keys()].filter((i) => isGivenUp?.(unsent[i] as Waiting))).toEqual(expected)
})

test('given up after a loss of the store is what waits for a device that is not read: it may be elsewhere unnoticed', () => {
  const unread: Sender = { unread: true }
  const unsent = [waiting(1, 900, unread), waiting(1, 300, unread), waiting(2, 900, here), waiting(3, 100, unread)]
  const isGivenUp = findGivenUp([[]], [[], unsent], now, true)
  expect([...unsent.keys()].filter((i) => isGivenUp?.(unsent[i] as Waiting))).toEqual([0, 1])
  expect(findGivenUp([[]], [[], unsent], now)).toBeUndefined()
})

test('what was sent to the store is not given up because its device left', () => {
  const sent = waiting(1, 900, gone)
  expect(findGivenUp([[sent]], [[]], now)).toBeUndefined()
})
