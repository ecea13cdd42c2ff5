import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Connection, connect } from '#db/connect.ts'
import { makeTestClock, type TestClock } from '#testing/world.ts'
import { type JournalRoom, openJournalRoom } from '../../engines/pg-journal/testing/journal-room.ts'
import { makeRecentMessages } from './recent-messages.ts'

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
