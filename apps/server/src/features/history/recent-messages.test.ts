import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Connection, connect } from '#db/connect.ts'
import { type JournalEntry, JournalKind } from '#ports/journal.ts'
import { makeTestClock, type TestClock } from '#testing/world.ts'
import { type JournalRoom, openJournalRoom } from '../../engines/pg-journal/testing/journal-room.ts'
import { fingerprint } from '../../uplink/repeats.ts'
import { isStoredAgain, makeRecentMessages } from './recent-messages.ts'

const devices = 130

let room: JournalRoom
let connection: Connection
let clock: TestClock
beforeEach(async () => {
  room = await openJournalRoom({ devices })
  connection = connect(room.url, () => undefined, 4)
  clock = makeTestClock()
})
afterEach(async () => {
  await connection.close()
  await room.close()
})

const rememberMs = 10 * 60_000
const messageOf = (time: number, value: number) => ({
  token: 'token-1',
  deviceTime: time,
  dataID: '',
  content: JSON.stringify({ a: value }),
})

test('a whole fleet at once: each device gets its own messages, the newest first', async () => {
  const now = clock.now()
  const stored: Promise<unknown>[] = []
  for (let device = 1; device < devices; device++) {
    for (const ago of [3_000, 1_000, 2_000, rememberMs + 1_000]) {
      stored.push(room.journal.append(room.report(device, { a: device }, now - ago, now - ago)))
    }
  }
  await Promise.all(stored)
  const recent = makeRecentMessages(connection.db, clock, rememberMs)
  const answers = await Promise.all(Array.from({ length: devices }, (_, i) => recent(i + 1)))
  expect(answers.pop()).toEqual([])
  for (const [i, messages] of answers.entries()) {
    expect(messages).toEqual([1_000, 2_000, 3_000].map((ago) => messageOf(now - ago, i + 1)))
  }
})

test('who asks twice in one turn is answered twice; what adds nothing is left out', async () => {
  const now = clock.now()
  await room.journal.append(room.report(1, { a: 1 }, now - 10, now - 10))
  await room.journal.append(room.entry({ at: now - 5 }))
  const recent = makeRecentMessages(connection.db, clock, rememberMs)
  const wanted = [messageOf(now - 10, 1)]
  expect(await Promise.all([recent(1), recent(1)])).toEqual([wanted, wanted])
})

test('a database that is away is told to everybody who asks, and asked again afterwards', async () => {
  const recent = makeRecentMessages(connection.db, clock, rememberMs)
  await room.pool.query('alter table journal rename to away')
  const asked = await Promise.allSettled(Array.from({ length: 120 }, (_, i) => recent(i + 1)))
  expect(new Set(asked.map(({ status }) => status))).toEqual(new Set(['rejected']))
  await room.pool.query('alter table away rename to journal')
  expect(await recent(1)).toEqual([])
})

describe('whether a stored entry is there another time', () => {
  const is = (entry: JournalEntry) => isStoredAgain(connection.db, entry, rememberMs)
  const store = async (...entries: JournalEntry[]) => {
    await Promise.all(entries.map((entry) => room.journal.append(entry)))
    return entries
  }

  test('however much its device has said since', async () => {
    const now = clock.now()
    const [first, again] = [now, now + 300].map((at) => room.report(1, { a: 1 }, at, now))
    if (!first || !again) throw new Error('two entries')
    await store(first, ...Array.from({ length: 600 }, (_, i) => room.report(1, { a: 1 }, now + 301 + i, now + 1 + i)))
    expect(await is(first)).toBe(false)
    await store(again)
    expect(await is(first)).toBe(true)
  })

  test('what makes messages the same is what makes their fingerprints the same', async () => {
    const at = clock.now()
    const base = { deviceID: 1, token: 'a', deviceTime: 0, dataID: '', content: '{"a":1}', values: { a: 1 } }
    const kinds: Partial<JournalEntry>[] = [
      base,
      { ...base, deviceTime: at },
      { ...base, kind: JournalKind.event, dataID: 'hot', deviceTime: at },
    ]
    const others: Partial<JournalEntry>[] = [{}, { token: 'b' }, { content: '{"a":2}' }, { deviceTime: at + 1 }]
    for (const [i, kind] of kinds.entries()) {
      for (const [j, other] of others.entries()) {
        // Each pair is said by a device of its own.
        const deviceID = 1 + i * others.length + j
        const [one, two] = [kind, { ...kind, ...other }].map((fields, n) =>
          room.entry({ ...fields, deviceID, at: at + n }),
        )
        if (!one || !two) throw new Error('two entries')
        await store(one, two)
        const print = (entry: JournalEntry) =>
          fingerprint(entry.token, entry.deviceTime, entry.dataID ?? '', entry.content)
        expect(await is(one), JSON.stringify([kind, other])).toBe(print(one) === print(two))
      }
    }
  })
})
