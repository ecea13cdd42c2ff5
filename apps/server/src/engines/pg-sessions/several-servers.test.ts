/** Stored sessions of devices that move between servers on one database. */
import type { IPublishPacket, MqttClient } from 'mqtt'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openSessionRoom, type RoomServer, type SessionRoom } from '#engines/aedes/testing/session-room.ts'
import { downTopic } from '#engines/aedes/testing/test-broker.ts'

let room: SessionRoom
let one: RoomServer
let two: RoomServer
beforeAll(async () => {
  room = await openSessionRoom(['lamp', 'pump'])
})
beforeEach(async () => {
  one = await room.open()
  two = await room.open()
})
afterEach(async () => {
  await one.stop()
  await two.stop()
  for (const name of ['lamp', 'pump']) await room.remake(name)
})
afterAll(() => room.close())

interface Came {
  client: MqttClient
  sessionPresent: boolean
  received: string[]
  repeated: boolean[]
}

/** Nothing of it ends the connection that it has elsewhere: these servers do not tell each other. */
async function connect(server: RoomServer, name: string, { clean = false, acknowledges = true } = {}): Promise<Came> {
  const repeated: boolean[] = []
  let sessionPresent = false
  const client = await server.client(name, { clean }, (made) => {
    made.once('connect', (packet) => {
      sessionPresent = packet.sessionPresent
    })
    made.on('message', (_topic, _payload, packet: IPublishPacket) => void repeated.push(packet.dup))
    if (!acknowledges) made.handleMessage = () => {}
  })
  return { client, sessionPresent, received: server.received(client), repeated }
}

const subscribe = ({ client }: Came, name: string) => client.subscribeAsync(downTopic(name), { qos: 1 })

async function leave(server: RoomServer, { client }: Came): Promise<void> {
  await client.endAsync()
  await expect.poll(() => server.broker.connections).toBe(0)
}

test('what was sent by either server while the device was away comes once and in order, on the other one', async () => {
  const first = await connect(one, 'lamp')
  expect(first.sessionPresent).toBe(false)
  await subscribe(first, 'lamp')
  await leave(one, first)
  const wanted = Array.from({ length: 12 }, (_, n) => `message ${n}`)
  for (const [n, text] of wanted.entries()) await (n % 2 ? one : two).broker.publish(downTopic('lamp'), text)

  const second = await connect(two, 'lamp')
  expect(second.sessionPresent).toBe(true)
  await expect.poll(() => second.received).toEqual(wanted)
  expect(second.repeated).not.toContain(true)
  await expect.poll(() => room.count('mqtt_message')).toBe(0)
  await leave(two, second)

  const third = await connect(one, 'lamp')
  expect(third.sessionPresent).toBe(true)
  await one.broker.publish(downTopic('lamp'), 'last')
  await expect.poll(() => third.received).toEqual(['last'])
})

test('what is sent in the moment in which the device comes reaches it, whoever sends it', async () => {
  const first = await connect(one, 'lamp')
  await subscribe(first, 'lamp')
  await leave(one, first)
  for (let round = 0; round < 15; round++) {
    const server = round % 2 ? one : two
    const came = connect(server, 'lamp')
    const wanted = Array.from({ length: 20 }, (_, n) => `${round}.${n}`)
    await Promise.all(wanted.map((text, n) => (n % 2 ? one : two).broker.publish(downTopic('lamp'), text)))
    const device = await came
    await expect.poll(() => device.received.toSorted()).toEqual(wanted.toSorted())
    await expect.poll(() => room.count('mqtt_message')).toBe(0)
    await leave(server, device)
  }
})

test('a message waits for a device that is just being let in, and tells the server that has it then', async () => {
  const first = await connect(one, 'lamp')
  await subscribe(first, 'lamp')
  await leave(one, first)
  const deviceID = room.idOf('lamp')
  const told: number[] = []
  two.sessions.onQueued((id) => void told.push(id))
  const coming = await room.pool.connect()
  try {
    await coming.query('begin')
    await coming.query('update mqtt_session set epoch = epoch + 1, server_id = $1', [two.serverID])
    const queued = one.sessions.queue(deviceID, downTopic('lamp'), Buffer.from('x'))
    const waiting = `select count(*)::integer as n from pg_locks where not granted
      and pid in (select pid from pg_stat_activity where datname = current_database())`
    await expect.poll(async () => (await room.pool.query(waiting)).rows[0].n).toBeGreaterThan(0)
    await coming.query('commit')
    await queued
  } finally {
    coming.release()
  }
  await expect.poll(() => told).toEqual([deviceID])
})

test('what was not acknowledged on the first server is repeated by the second one', async () => {
  const old = await connect(one, 'lamp', { acknowledges: false })
  await subscribe(old, 'lamp')
  for (const text of ['1', '2']) await one.broker.publish(downTopic('lamp'), text)
  await expect.poll(() => old.received.length).toBeGreaterThan(0)
  const device = await connect(two, 'lamp')
  expect(device.sessionPresent).toBe(true)
  await expect.poll(() => device.received).toEqual(['1', '2'])
  expect(device.repeated).toEqual([true, true])
  await expect.poll(() => room.count('mqtt_message')).toBe(0)
})

test('the older connection changes nothing of what the newer one has, and what it would send goes to that one', async () => {
  const old = await connect(one, 'lamp')
  await subscribe(old, 'lamp')
  const device = await connect(two, 'lamp')
  await old.client.subscribeAsync(downTopic('lamp').replace('property', 'event'), { qos: 1 })
  await old.client.unsubscribeAsync(downTopic('lamp'))
  expect(await room.count('mqtt_filter')).toBe(1)
  await subscribe(old, 'lamp')
  await one.broker.publish(downTopic('lamp'), 'by the first')
  await expect.poll(() => device.received).toEqual(['by the first'])
  expect(old.received).toEqual([])
  await leave(one, old)
  await one.broker.publish(downTopic('lamp'), 'after its end')
  await expect.poll(() => device.received).toEqual(['by the first', 'after its end'])
  await expect.poll(() => room.count('mqtt_message')).toBe(0)
  expect(await room.count('mqtt_session')).toBe(1)
})

test('a clean session on the second server ends what was stored, and the older connection does not bring it back', async () => {
  const old = await connect(one, 'lamp')
  await subscribe(old, 'lamp')
  const clean = await connect(two, 'lamp', { clean: true })
  expect(clean.sessionPresent).toBe(false)
  await subscribe(old, 'lamp')
  await old.client.subscribeAsync(downTopic('lamp').replace('property', 'event'), { qos: 1 })
  await leave(one, old)
  expect(await room.count('mqtt_session')).toBe(0)
  await leave(two, clean)
  await one.broker.publish(downTopic('lamp'), 'for nobody')
  expect((await connect(one, 'lamp')).sessionPresent).toBe(false)
  expect(await room.count('mqtt_message')).toBe(0)
})

test('an older connection that comes in late is sent away', async () => {
  const device = await connect(two, 'lamp')
  await subscribe(device, 'lamp')
  const late = { deviceID: room.idOf('lamp'), epoch: 0, clean: false }
  await expect(one.sessions.open(late)).rejects.toThrow('newer connection')
  await one.sessions.open({ ...late, clean: true })
  expect(await room.count('mqtt_filter')).toBe(1)

  // The newer one is clean: there is no session whose number tells.
  const { pool } = room
  await pool.query(
    `insert into device_session (device_id, server_id, client_id, connected_at) values ($1, $2, 'pump', 0)`,
    [room.idOf('pump'), two.serverID],
  )
  await expect(one.sessions.open({ ...late, deviceID: room.idOf('pump') })).rejects.toThrow('newer connection')
})

test('a server that stops without a word leaves the session to the next one', async () => {
  const old = await connect(one, 'lamp')
  await subscribe(old, 'lamp')
  await two.broker.publish(downTopic('lamp'), 'at once')
  await expect.poll(() => old.received).toEqual(['at once'])
  await expect.poll(() => room.count('mqtt_message')).toBe(0)
  await one.stop()
  await two.broker.publish(downTopic('lamp'), 'waits')
  one = await room.open()
  const back = await connect(one, 'lamp')
  expect(back.sessionPresent).toBe(true)
  await expect.poll(() => back.received).toEqual(['waits'])
})

test('a message whose notice was lost is found when the line is open again', async () => {
  const device = await connect(two, 'lamp')
  await subscribe(device, 'lamp')
  const topic = downTopic('lamp')
  const text = `insert into mqtt_message (device_id, topic, payload, is_sent) values ($1, $2, 'untold', false)`
  await room.pool.query(text, [room.idOf('lamp'), topic])
  await room.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'ithings-core signal' and datname = current_database()`)
  await expect.poll(() => device.received).toEqual(['untold'])
})

test('the bound of a device holds over all servers', async () => {
  await one.stop()
  await two.stop()
  one = await room.open({ queuedPerClient: 4 })
  two = await room.open({ queuedPerClient: 4 })
  const first = await connect(one, 'pump')
  await subscribe(first, 'pump')
  await leave(one, first)
  for (let n = 0; n < 10; n++) await (n % 2 ? one : two).broker.publish(downTopic('pump'), `${n}`)
  expect(await room.count('mqtt_message')).toBe(4)
  const back = await connect(two, 'pump')
  await expect.poll(() => back.received).toEqual(['6', '7', '8', '9'])
  expect((await one.dropped()) + (await two.dropped())).toBe(6)
})

test('while nothing can be stored a device is sent away without a refusal, and what is sent to it fails', async () => {
  const first = await connect(one, 'lamp')
  await subscribe(first, 'lamp')
  await leave(one, first)
  await room.pool.query('alter table mqtt_session rename to away')
  expect(await one.attempt('lamp', { clean: false })).toBe('closed')
  expect(await one.attempt('lamp', { clean: true })).toBe('closed')
  await expect(two.broker.publish(downTopic('lamp'), 'lost, and said so')).rejects.toThrow()
  await room.pool.query('alter table away rename to mqtt_session')
  expect((await connect(two, 'lamp')).sessionPresent).toBe(true)
})
