import { sql } from 'kysely'
import pino from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Signal, SignalMap } from '#ports/signal.ts'
import { makeTestBackground } from '#testing/background.ts'
import { openWorld, type World } from '#testing/world.ts'
import { Relay } from './relay.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const here = 'server-here'
let heard: Array<{ address: string; listener: (notice: SignalMap['downlink.relayed']) => void }>
let sent: string[]
let relay: Relay
/** Only told by the test. */
const signal: Signal = {
  send: async () => {},
  on: () => {},
  hear(name, address, listener) {
    if (name === 'downlink.relayed') heard.push({ address, listener: listener as (typeof heard)[number]['listener'] })
    return () => {}
  },
  onGap: () => {},
  connected: true,
  doubt() {},
  start: async () => {},
  stop: async () => {},
}
const told = (serverID = here) => {
  for (const { address, listener } of heard) if (address === serverID) listener({ serverID })
}
const put = (topic: string, fields: { server_id?: string; at?: number } = {}) =>
  world.db
    .insertInto('downlink_relay')
    .values({ server_id: here, topic, payload: Buffer.from('x'), at: world.clock.now(), ...fields })
    .execute()
const left = async () => (await world.db.selectFrom('downlink_relay').select('topic').execute()).map((row) => row.topic)

const open = async (lookMs: number) => {
  relay = new Relay({
    db: world.db,
    signal,
    clock: world.clock,
    log: pino({ level: 'silent' }),
    background: makeTestBackground(world.clock),
    lookMs,
    serverID: here,
    gatewayOf: () => undefined,
    broker: {
      sessionOf: () => undefined,
      async publish(topic) {
        // The first of all takes longest, so that whoever does not wait for it would come first.
        if (topic === 'a/0') await new Promise((resolve) => setTimeout(resolve, 50))
        if (topic === 'broken') throw new Error('no')
        sent.push(topic)
      },
    },
  })
  await relay.start()
}

beforeEach(async () => {
  heard = []
  sent = []
  await world.db.deleteFrom('downlink_relay').execute()
  await open(3_600_000)
})
afterEach(() => relay.stop())

test('messages of other servers are sent in their order, also when they come while others are being sent', async () => {
  await put('a/0')
  told()
  await expect.poll(left).toEqual([])
  await put('a/1')
  told()
  await expect.poll(() => sent).toEqual(['a/0', 'a/1'])
})

test('one that cannot be sent does not take the others with it', async () => {
  for (const topic of ['broken', 'b/1', 'b/2']) await put(topic)
  told()
  await expect.poll(() => sent).toEqual(['b/1', 'b/2'])
})

test('what is too old is dropped, also that of a server that never came back; fresh ones of others stay', async () => {
  const old = world.clock.now() - 60_001
  await world.db.insertInto('platform_server').values({ server_id: 'other', seen_at: 0 }).execute()
  await put('old', { at: old })
  await put('orphan', { at: old, server_id: 'gone' })
  await put('theirs', { server_id: 'other' })
  told('other')
  expect(await left()).toHaveLength(3)
  told()
  await expect.poll(left).toEqual(['theirs'])
  expect(sent).toEqual([])
})

test('what a server did not take before it was gone is sent by another way', async () => {
  await put('theirs', { server_id: 'gone' })
  told()
  await expect.poll(() => sent).toEqual(['theirs'])
  expect(await left()).toEqual([])
})

test('a server that stops has sent what it took', async () => {
  await put('a/0')
  told()
  await expect.poll(left).toEqual([])
  await relay.stop()
  expect(sent).toEqual(['a/0'])
})

test('a message whose notice was lost is found by looking', async () => {
  await relay.stop()
  await open(10)
  await put('silent')
  await expect.poll(() => sent).toEqual(['silent'])
})

test('what a new primary still has although it was taken is not sent twice', async () => {
  const at = world.clock.now()
  const putFirst = () =>
    sql`insert into downlink_relay (id, server_id, topic, payload, at) overriding system value
      values (9000000000, ${here}, 'a/1', 'x', ${at})`.execute(world.db)
  await putFirst()
  told()
  await expect.poll(() => sent).toEqual(['a/1'])
  await putFirst()
  await put('a/2')
  told()
  await expect.poll(() => sent).toEqual(['a/1', 'a/2'])
  expect(await left()).toEqual([])
})
