/** Stored sessions of one server, which may stop and start again. */
import type { MqttClient } from 'mqtt'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openSessionRoom, type RoomServer, type SessionRoom } from './testing/session-room.ts'
import { downTopic, productID } from './testing/test-broker.ts'

let room: SessionRoom
let world: RoomServer
beforeAll(async () => {
  room = await openSessionRoom(['lamp', 'a', 'b', 'c', 'gateway1', 'child1', 'child2'])
})
afterEach(async () => {
  await world.stop()
  for (const name of ['lamp', 'a', 'b', 'c', 'gateway1']) await room.remake(name)
})
afterAll(() => room.close())

/** Everything the client gets, from before it connects on. */
async function comeBack(deviceName: string, clean = false) {
  const client = await world.client(deviceName, { clean })
  return { client, received: world.received(client) }
}

async function leave(client: MqttClient): Promise<void> {
  await client.endAsync()
  await expect.poll(() => world.broker.connections).toBe(0)
}

const queued = () => room.count('mqtt_message')

test('downlinks of a persistent session wait for the device, in order, also across a restart', async () => {
  world = await room.open()
  const first = await comeBack('lamp')
  await first.client.subscribeAsync(`$thing/down/+/${productID}/lamp`, { qos: 1 })
  await leave(first.client)
  for (const text of ['1', '2', '3']) await world.broker.publish(downTopic('lamp'), text)
  await world.stop()

  world = await room.open()
  expect(await world.metric('ithings_mqtt', { what: 'queued' })).toBe(3)
  expect(await world.metric('ithings_mqtt', { what: 'sessions' })).toBe(1)
  await world.broker.publish(downTopic('lamp'), '4')
  const second = await comeBack('lamp')
  await expect.poll(() => second.received).toEqual(['1', '2', '3', '4'])
  await world.broker.publish(downTopic('lamp'), '5')
  await expect.poll(() => second.received).toEqual(['1', '2', '3', '4', '5'])
  await expect.poll(queued).toBe(0)
  await leave(second.client)

  const third = await comeBack('lamp')
  await world.broker.publish(downTopic('lamp'), '6')
  await expect.poll(() => third.received).toEqual(['6'])
})

test('more than is read at once comes in order, and so does what is sent meanwhile; bytes are what they were', async () => {
  world = await room.open()
  world.alone = true
  const first = await comeBack('lamp')
  await first.client.subscribeAsync(downTopic('lamp'), { qos: 1 })
  await leave(first.client)
  const wanted = Array.from({ length: 150 }, (_, n) => `message ${n}`)
  await Promise.all(wanted.slice(0, 100).map((text) => world.broker.publish(downTopic('lamp'), text)))
  const back = comeBack('lamp')
  for (const text of wanted.slice(100)) await world.broker.publish(downTopic('lamp'), text)
  const { client, received } = await back
  await expect.poll(() => received.length).toBe(wanted.length)
  expect(received).toEqual(wanted)
  await expect.poll(queued).toBe(0)

  await leave(client)
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, n) => n))
  await world.broker.publish(downTopic('lamp'), bytes)
  const again = await comeBack('lamp')
  await expect.poll(() => again.received).toEqual([bytes.toString('latin1')])
})

test('an answer that the device acknowledges is never stored; one that it does not is there when it comes back', async () => {
  world = await room.open()
  const stored = async () =>
    (await room.pool.query('select last_value, is_called from mqtt_message_id')).rows[0] as unknown
  const before = await stored()
  const answer = (text: string) =>
    world.broker.publish(downTopic('lamp'), text, world.broker.sessionOf(productID, 'lamp'))
  const first = await comeBack('lamp')
  await first.client.subscribeAsync(downTopic('lamp'), { qos: 1 })
  for (const text of ['1', '2', '3']) await answer(text)
  await leave(first.client)
  expect(first.received).toEqual(['1', '2', '3'])
  expect(await stored()).toEqual(before)

  const mute = await world.client('lamp', { clean: false }, (client) => {
    // It takes messages, but acknowledges none.
    client.handleMessage = () => {}
  })
  await answer('4')
  await expect.poll(queued).toBe(1)
  await answer('5')
  await expect.poll(() => world.received(mute)).toEqual(['4'])
  await leave(mute)
  await expect.poll(queued).toBe(2)
  const back = await comeBack('lamp')
  await expect.poll(() => back.received).toEqual(['4', '5'])
  await expect.poll(queued).toBe(0)
})

test('the session is the same for both forms of the client id', async () => {
  world = await room.open()
  const first = await comeBack('lamp')
  await first.client.subscribeAsync(downTopic('lamp'), { qos: 1 })
  await leave(first.client)
  await world.broker.publish(downTopic('lamp'), 'kept')
  const client = await world.client('lamp', { clean: false, clientId: `${productID}&lamp` })
  await expect.poll(() => world.received(client)).toEqual(['kept'])
})

test('a clean session starts without the old one', async () => {
  world = await room.open()
  const first = await comeBack('lamp')
  await first.client.subscribeAsync(downTopic('lamp'), { qos: 1 })
  await leave(first.client)
  await world.broker.publish(downTopic('lamp'), 'old')
  const clean = await comeBack('lamp', true)
  expect(await room.count('mqtt_session')).toBe(0)
  await leave(clean.client)
  await world.broker.publish(downTopic('lamp'), 'for nobody')
  const again = await comeBack('lamp')
  await again.client.subscribeAsync(downTopic('lamp'), { qos: 1 })
  await world.broker.publish(downTopic('lamp'), 'new')
  await expect.poll(() => again.received).toEqual(['new'])
})

test('a refused subscription is not stored with its session', async () => {
  world = await room.open()
  const { client } = await comeBack('lamp')
  await client.subscribeAsync({ [downTopic('lamp')]: { qos: 1 }, [downTopic('other')]: { qos: 1 } }).catch(() => {})
  await leave(client)
  await world.broker.publish(downTopic('other'), 'not for the lamp')
  await world.broker.publish(downTopic('lamp'), 'for the lamp')
  expect(await queued()).toBe(1)
})

test('an unsubscribed topic is not queued any more', async () => {
  world = await room.open()
  const { client } = await comeBack('lamp')
  await client.subscribeAsync(downTopic('lamp'), { qos: 1 })
  await client.unsubscribeAsync(downTopic('lamp'))
  await leave(client)
  await world.broker.publish(downTopic('lamp'), 'for nobody')
  expect(await queued()).toBe(0)
})

test('the queue of one device and the queues of all are bounded: the oldest go and are counted', async () => {
  world = await room.open({ queuedPerClient: 3, queuedTotal: 5 })
  for (const name of ['a', 'b']) {
    const { client } = await comeBack(name)
    await client.subscribeAsync(downTopic(name), { qos: 1 })
    await leave(client)
  }
  for (const text of ['1', '2', '3', '4', '5']) await world.broker.publish(downTopic('a'), text)
  expect(await world.dropped()).toBe(2)
  for (const text of ['6', '7', '8']) await world.broker.publish(downTopic('b'), text)
  await expect.poll(() => world.dropped()).toBe(3)
  expect(await queued()).toBe(5)
  const back = await comeBack('a')
  await expect.poll(() => back.received).toEqual(['4', '5'])
})

test('stored sessions are bounded: the longest unseen goes', async () => {
  world = await room.open({ sessions: 2 })
  for (const name of ['a', 'b', 'c']) {
    const { client } = await comeBack(name)
    await client.subscribeAsync(downTopic(name), { qos: 1 })
    await leave(client)
  }
  await expect.poll(() => room.count('mqtt_session')).toBe(2)
  for (const name of ['a', 'b', 'c']) await world.broker.publish(downTopic(name), 'x')
  expect(await queued()).toBe(2)
  const oldest = await comeBack('a')
  await leave(oldest.client)
  expect(oldest.received).toEqual([])
})

test('sessions that nobody came back to for 30 days go, those of connected devices stay', async () => {
  world = await room.open()
  for (const name of ['a', 'b']) {
    const { client } = await comeBack(name)
    await client.subscribeAsync(downTopic(name), { qos: 1 })
    await leave(client)
    await world.broker.publish(downTopic(name), 'x')
  }
  await world.stop()
  await room.pool.query(`update mqtt_session set seen_at = now() - interval '31 days'`)
  await room.pool.query(
    `insert into device_session (device_id, server_id, client_id, connected_at) values ($1, 'other', 'b', 0)`,
    [room.idOf('b')],
  )
  world = await room.open()
  await expect.poll(() => world.dropped()).toBe(1)
  const { rows } = await room.pool.query('select device_id from mqtt_session join mqtt_message using (device_id)')
  expect(rows).toEqual([{ device_id: room.idOf('b') }])
})

test('a device that was made anew under an old name gets nothing of the old one', async () => {
  world = await room.open()
  const first = await comeBack('lamp')
  await first.client.subscribeAsync(downTopic('lamp'), { qos: 1 })
  await leave(first.client)
  await world.broker.publish(downTopic('lamp'), 'for the old one')
  await room.remake('lamp')
  expect(await queued()).toBe(0)
  const second = await comeBack('lamp')
  await second.client.subscribeAsync(downTopic('lamp'), { qos: 1 })
  await world.broker.publish(downTopic('lamp'), 'for the new one')
  await expect.poll(() => second.received).toEqual(['for the new one'])
  expect(await room.count('mqtt_session')).toBe(1)
})

test('a gateway hears nothing of a child that left it: not now, not from its queue, and nothing more is queued', async () => {
  world = await room.open()
  const filter = (child: string) => `$thing/down/+/${productID}/${child}`
  const first = await comeBack('gateway1')
  await first.client.subscribeAsync([filter('child1'), filter('child2')], { qos: 1 })
  await world.broker.publish(downTopic('child1'), 'while bound')
  await expect.poll(() => first.received).toEqual(['while bound'])
  world.unbound.add('child1')
  await world.broker.publish(downTopic('child1'), 'no longer')
  await world.broker.publish(downTopic('child2'), 'still')
  await expect.poll(() => first.received).toEqual(['while bound', 'still'])
  await expect.poll(queued).toBe(0)

  world.unbound.clear()
  await leave(first.client)
  await world.broker.publish(downTopic('child1'), 'queued while bound')
  world.unbound.add('child1')
  await world.broker.publish(downTopic('child1'), 'not queued')
  await world.broker.publish(downTopic('child2'), 'queued')
  expect(await queued()).toBe(2)
  const second = await comeBack('gateway1')
  await expect.poll(() => second.received).toEqual(['queued'])
  await expect.poll(queued).toBe(0)

  // Its filter went with the child: bound again it is subscribed again.
  world.unbound.clear()
  await leave(second.client)
  await world.broker.publish(downTopic('child1'), 'for nobody')
  expect(await queued()).toBe(0)
})
