/** A message that came too late is not stored, and nothing that its device has sent behind it. */
import { expect, test } from 'vitest'
import { type JournalEntry, JournalKind, StoreTimeout } from '#ports/journal.ts'
import { giveBack } from './after-commit.ts'
import { type CorridorContext, GivenTimes, type Passage } from './passage.ts'
import { handOver } from './store.ts'

const device = { deviceID: 7, productID: 'P', deviceName: 'd', deviceType: 1 }
const product = { logDays: 3 }
const session = () => ({ device, clientID: '', ip: '', connectedAt: 0, registering: false })

function open() {
  const stored: string[] = []
  const corridor = {
    alone: true,
    count: () => undefined,
    times: new GivenTimes(),
    repeats: { isRepeat: () => false, forget: () => undefined },
    journal: { nextSeq: () => 1, append: async ({ token }: JournalEntry) => void stored.push(token) },
  } as unknown as CorridorContext
  /** It has been on its way for so long. */
  const hand = async (token: string, onItsWayMs: number, of = session(), comesAgain = true) => {
    const message = { method: 'report' }
    const packet = { session: of, topic: '', payload: Buffer.alloc(0), qos: 1, dup: false, comesAgain, receivedAt: 1 }
    const passage = {
      packet,
      started: performance.now() - onItsWayMs,
      up: { device, product, packet, message, token, deviceTime: 1 },
      outcome: { kind: JournalKind.property, content: '{}', values: { level: 1 } },
      entries: [],
    } as unknown as Passage
    handOver(passage, corridor)
    await passage.stored
    return passage
  }
  return { corridor, stored, hand }
}

test('what follows a late message in its connection comes again behind it', async () => {
  const { hand, stored } = open()
  const connection = session()
  await hand('before', 0, connection)
  // As they come when the database is there again: the later ones stood still for less time.
  const late = hand('late', 6_000, connection)
  const behind = hand('behind', 100, connection)
  await expect(late).rejects.toThrow(StoreTimeout)
  await expect(behind).rejects.toThrow(StoreTimeout)
  await hand('of another connection', 100)
  expect(stored).toEqual(['before', 'of another connection'])
})

test('so does what follows a message that the store has handed back', async () => {
  const { hand, stored, corridor } = open()
  const connection = session()
  giveBack(await hand('handed back', 0, connection), corridor, new StoreTimeout('not stored in time'))
  await expect(hand('behind', 0, connection)).rejects.toThrow(StoreTimeout)
  expect(stored).toEqual(['handed back'])
})

test('what never comes again is stored when it came in time', async () => {
  const { hand, stored } = open()
  const connection = session()
  await expect(hand('late', 6_000, connection)).rejects.toThrow(StoreTimeout)
  await hand('behind, without an acknowledgement', 0, connection, false)
  expect(stored).toEqual(['behind, without an acknowledgement'])
})
