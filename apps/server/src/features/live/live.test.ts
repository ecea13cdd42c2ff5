import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect as connectTcp } from 'node:net'
import { alarmTopic, listAlarmRecords } from '@ithings/contract/features/alarms/record.ts'
import { readDevice } from '@ithings/contract/features/devices/info.ts'
import { homeTopic, readHomeSummary } from '@ithings/contract/features/home.ts'
import { JobStatus } from '@ithings/contract/features/jobs.ts'
import { deviceTopic, jobTopic, type LiveNotice, liveProtocol } from '@ithings/contract/features/live.ts'
import { updateRoleApis } from '@ithings/contract/features/roles.ts'
import { listScenes } from '@ithings/contract/features/scenes/info.ts'
import { scenesTopic } from '@ithings/contract/features/scenes/log.ts'
import { login, logout, updateUser, updateUserStatus } from '@ithings/contract/features/users.ts'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { connect } from '#db/connect.ts'
import { makeMemoryBus } from '#engines/memory-bus/memory-bus.ts'
import { makePgSignal } from '#engines/pg-signal/pg-signal.ts'
import { AccessCache } from '#features/users/access-cache.ts'
import { loadKey } from '#features/users/platform-key.ts'
import { makeTokens } from '#features/users/token.ts'
import type { EventBus, EventMap } from '#ports/event-bus.ts'
import type { Signal } from '#ports/signal.ts'
import { apiKeys, makeRole, makeSignedIn, makeUser } from '#testing/people.ts'
import { testKeys } from '#testing/test-config.ts'
import { makeTestClock, openWorld, type World } from '#testing/world.ts'
import { Live, type LiveLimits } from './live.ts'

/** A second server on the same database: only what live needs of it. */
interface Place {
  live: Live
  bus: EventBus
  metrics: Registry
  url: string
  close(): Promise<void>
}

const lamp = { productID: 'p1', deviceName: 'lamp', deviceID: 1 }
const topic = deviceTopic(lamp)
const silent = pino({ level: 'silent' })

let world: World
let signal: Signal
let closeDatabase: () => Promise<void>
let openPlace: (limits?: Partial<LiveLimits>) => Promise<Place>
const clock = makeTestClock()
const open: Array<{ close(): unknown }> = []

beforeAll(async () => {
  world = await openWorld()
  const { db, pool, close } = connect(world.url, () => undefined, undefined, testKeys)
  signal = makePgSignal(world.url, pool, () => undefined)
  await signal.start()
  const gate = new AccessCache({ db, clock, signal, tokens: makeTokens(await loadKey(db, 'token'), clock, 3600) })
  await gate.start()
  closeDatabase = async () => {
    await signal.stop()
    await close()
  }
  openPlace = async (limits) => {
    const bus = makeMemoryBus((error) => {
      throw error
    })
    const metrics = new Registry()
    const live = new Live({ db, clock, signal, bus, gate, log: silent, metrics, limits: { sweepMs: 50, ...limits } })
    const server: Server = createServer()
    server.on('upgrade', live.handleUpgrade)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const place: Place = {
      live,
      metrics,
      bus,
      url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
      async close() {
        await live.stop()
        await new Promise((resolve) => server.close(resolve))
      },
    }
    open.push(place)
    return place
  }
})
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})
afterAll(async () => {
  await closeDatabase()
  await world.close()
})

function dial(place: Place, token: string | undefined) {
  const ws = new WebSocket(place.url, token === undefined ? [liveProtocol] : [liveProtocol, token])
  const heard: LiveNotice[] = []
  const end: { code?: number } = {}
  ws.on('message', (data) => heard.push(JSON.parse(String(data))))
  ws.on('close', (code) => {
    end.code = code
  })
  ws.on('error', () => undefined)
  const opened = new Promise((resolve) => ws.once('open', resolve))
  open.push({ close: () => ws.terminate() })
  return {
    ws,
    heard,
    end,
    opened,
    sub: (name: string) => ws.send(JSON.stringify({ op: 'sub', topic: name })),
    unsub: (name: string) => ws.send(JSON.stringify({ op: 'unsub', topic: name })),
    changes: () => heard.filter((notice) => notice.topic === topic).flatMap((notice) => notice.changes ?? []),
  }
}

async function watch(place: Place, token: string, name = topic) {
  const client = dial(place, token)
  await client.opened
  client.sub(name)
  await expect.poll(() => client.heard.length).toBe(1)
  return client
}

test('a refusal is in the language that its reader chose, else in that of his sign-in, else in Chinese', async () => {
  const place = await openPlace()
  const person = await makeUser(world, { role: await makeRole(world) })
  const body = { account: person.userName, password: person.password, pwdType: 1, loginType: 'pwd' }
  const refusal = async (headers: Record<string, string>) => {
    const { data } = await world.call(login, body, { headers })
    return (await watch(place, data.token.accessToken)).heard[0]?.msg
  }
  const chinese = expect.stringContaining('权限不足')
  const english = expect.stringContaining('Permission denied')
  expect(await refusal({})).toEqual(chinese)
  expect(await refusal({ 'accept-language': 'de' })).toEqual(chinese)
  expect(await refusal({ 'accept-language': 'en-US' })).toEqual(english)
  await world.asAdmin(updateUser, { userID: person.userID, language: 'zh_CN' })
  expect(await refusal({ 'accept-language': 'en-US' })).toEqual(chinese)
})

test('events of a device reach those who watch it, and nobody else', async () => {
  const place = await openPlace()
  const watching = await watch(place, world.admin)
  const other = await watch(place, world.admin, deviceTopic({ productID: 'p1', deviceName: 'pump' }))
  expect(watching.heard[0]).toEqual({ topic, at: expect.any(Number) })
  expect(watching.ws.protocol).toBe(liveProtocol)
  place.bus.emit('device.presence', { device: lamp, online: true, at: 1, reason: '' })
  place.bus.emit('command.done', { device: lamp, clientToken: 't', code: 200 })
  place.bus.emit('shadow.changed', { device: lamp })
  place.bus.emit('device.logged', { device: lamp, kind: 'sdk' })
  await expect.poll(() => watching.changes().toSorted()).toEqual(['command', 'log', 'presence', 'shadow'])
  expect(other.heard).toHaveLength(1)
})

test('a device that is connected to another server is followed here, for as long as somebody looks', async () => {
  const [here, there] = [await openPlace({ noticeGapMs: 20 }), await openPlace({ noticeGapMs: 20 })]
  const watching = await watch(here, world.admin)
  const elsewhere = await watch(there, world.admin, deviceTopic({ productID: 'p1', deviceName: 'pump' }))
  const change = () => {
    there.bus.emit('device.presence', { device: lamp, online: true, at: 1, reason: '' })
    there.bus.emit('command.done', { device: lamp, clientToken: 't', code: 200 })
    there.bus.emit('device.described', { device: lamp })
  }
  await expect
    .poll(() => {
      change()
      return watching.changes()
    })
    .toEqual(expect.arrayContaining(['presence', 'command', 'info']))
  expect(elsewhere.heard).toHaveLength(1)
  // What happens within the gap is told at its end.
  const before = watching.heard.length
  change()
  there.bus.emit('shadow.changed', { device: lamp })
  await expect.poll(() => watching.heard.slice(before).flatMap((notice) => notice.changes)).toContain('shadow')
})

test('a stored message is a line of the log, and new values when it carries some', async () => {
  const place = await openPlace({ noticeGapMs: 1 })
  const watching = await watch(place, world.admin)
  // Of the entry only its values are looked at: those that came late are news for a screen, too.
  const entry = {} as EventMap['uplink.stored']['entry']
  const late = { values: { power: true } } as unknown as EventMap['uplink.stored']['entry']
  place.bus.emit('uplink.stored', { device: lamp, entry, values: undefined })
  await expect.poll(watching.changes).toEqual(['log'])
  place.bus.emit('uplink.stored', { device: lamp, entry: late, values: undefined })
  await expect.poll(() => watching.changes().slice(1).toSorted()).toEqual(['log', 'values'])
})

test('a device that was changed on any server is told as info, alone or by its product', async () => {
  const place = await openPlace()
  const watching = await watch(place, world.admin)
  await signal.send('device.changed', { productID: 'p1', deviceName: 'lamp' })
  await expect.poll(watching.changes).toEqual(['info'])
  await signal.send('device.changed', { productID: 'p1', deviceName: '' })
  await expect.poll(watching.changes).toEqual(['info', 'info'])
})

test('changes of alarms and runs of scenes reach the screens of every server', async () => {
  const here = await openPlace()
  const there = await openPlace()
  const alarms = await watch(there, world.admin, alarmTopic)
  const scenes = await watch(there, world.admin, scenesTopic)
  here.bus.emit('alarm.changed', { recordIDs: [1], opened: true })
  await expect.poll(() => alarms.heard[1]).toMatchObject({ topic: alarmTopic, changes: ['info'] })
  here.bus.emit('scene.ran', { sceneID: 1, runID: 1, result: 3 })
  await expect.poll(() => scenes.heard[1]).toMatchObject({ topic: scenesTopic, changes: ['log'] })
  expect(alarms.heard).toHaveLength(2)
})

test('the large screen hears of everything it shows, from every server and not too often', async () => {
  const here = await openPlace({ noticeGapMs: 20 })
  const there = await openPlace({ noticeGapMs: 20 })
  const home = await watch(there, world.admin, homeTopic)
  const tellings = [
    () => here.bus.emit('device.presence', { device: lamp, online: true, at: 1, reason: '' }),
    () => here.bus.emit('alarm.changed', { recordIDs: [1], opened: true }),
    () => here.bus.emit('rollout.changed', { kind: 'ota', topic: 'ota/1', runID: 1 }),
    () => here.bus.emit('home.changed', {}),
  ]
  for (const [index, tell] of tellings.entries()) {
    // A thousand of them are few notices: one at once and one at the end of the gap.
    for (let n = 0; n < 1_000; n++) tell()
    await expect.poll(() => home.heard.length).toBeGreaterThan(index + 1)
  }
  expect(home.heard.at(-1)).toMatchObject({ topic: homeTopic, changes: ['info'] })
  // The app has something to tell now and then, too.
  expect(home.heard.length).toBeLessThan(20)
})

test.each([
  [alarmTopic, listAlarmRecords],
  [homeTopic, readHomeSummary],
  [scenesTopic, listScenes],
])('topic %s needs the right to read its list', async (name, reader) => {
  const place = await openPlace()
  const stranger = await makeSignedIn(world, { role: await makeRole(world, [readDevice]) })
  const reading = await makeSignedIn(world, { role: await makeRole(world, [reader]) })
  expect((await watch(place, stranger.token, name)).heard[0]).toMatchObject({ topic: name, code: 100012 })
  expect((await watch(place, reading.token, name)).heard[0]).toEqual({ topic: name, at: expect.any(Number) })
})

test('after unsub nothing comes any more', async () => {
  const place = await openPlace()
  const watching = await watch(place, world.admin)
  watching.unsub(topic)
  await expect.poll(() => place.live.counts().topics).toBe(0)
  place.bus.emit('shadow.changed', { device: lamp })
  watching.sub('nothing/here')
  await expect.poll(() => watching.heard.length).toBe(2)
  expect(watching.heard[1]).toMatchObject({ topic: 'nothing/here', code: 100006 })
})

test.each([
  ['no token', undefined],
  ['a token that is none', 'abc'],
])('%s closes with 4401', async (_name, token) => {
  const client = dial(await openPlace(), token)
  await expect.poll(() => client.end.code).toBe(4401)
})

test('a topic whose reading is not allowed answers 100012, others still work', async () => {
  const place = await openPlace()
  const role = await makeRole(world, [])
  const { token } = await makeSignedIn(world, { role })
  const client = dial(place, token)
  await client.opened
  client.sub(topic)
  await expect.poll(() => client.heard).toMatchObject([{ topic, code: 100012 }])
  expect(client.heard[0]?.msg).toContain('查看设备')
  await world.asAdmin(updateRoleApis, { roleID: role, list: apiKeys([readDevice]) })
  await expect
    .poll(() => {
      client.sub(topic)
      return client.heard.at(-1)?.code
    })
    .toBeUndefined()
})

test('a right that is taken away takes its topics away', async () => {
  const place = await openPlace()
  const role = await makeRole(world, [readDevice])
  const { token } = await makeSignedIn(world, { role })
  const client = await watch(place, token)
  await world.asAdmin(updateRoleApis, { roleID: role, list: [] })
  await expect.poll(() => client.heard.at(-1)).toMatchObject({ topic, code: 100012 })
  expect(place.live.counts().topics).toBe(0)
  expect(client.end.code).toBeUndefined()
})

test('signing out closes with 4401', async () => {
  const place = await openPlace()
  const { token } = await makeSignedIn(world)
  const client = await watch(place, token)
  await world.call(logout, {}, { token })
  await expect.poll(() => client.end.code).toBe(4401)
})

test('a disabled account is closed with 4401', async () => {
  const place = await openPlace()
  const { token, userID } = await makeSignedIn(world)
  const client = await watch(place, token)
  await world.asAdmin(updateUserStatus, { userID: String(userID), status: 2 })
  await expect.poll(() => client.end.code).toBe(4401)
})

test('an expired token closes with 4401', async () => {
  const place = await openPlace()
  const client = await watch(place, world.admin)
  const week = 7 * 24 * 3600_000
  clock.advance(week)
  try {
    await expect.poll(() => client.end.code).toBe(4401)
    expect(place.live.counts().signedOut).toBe(1)
  } finally {
    clock.advance(-week)
  }
})

test('a job is followed by who started it and by administrators only', async () => {
  const place = await openPlace()
  const { token, userID } = await makeSignedIn(world)
  const stranger = await makeSignedIn(world)
  const jobID = 'job-live-1'
  await world.db
    .insertInto('job')
    .values({
      job_id: jobID,
      kind: 'test',
      title: '测试',
      user_id: userID,
      input: JSON.stringify({}) as never,
      deadline_at: new Date(Date.now() + 60_000),
      // No server begins it.
      next_at: new Date('2999-01-01'),
    })
    .execute()
  const mine = await watch(place, token, jobTopic(jobID))
  expect(mine.heard[0]?.code).toBeUndefined()
  expect((await watch(place, world.admin, jobTopic(jobID))).heard[0]?.code).toBeUndefined()
  expect((await watch(place, stranger.token, jobTopic(jobID))).heard[0]?.code).toBe(100012)
  expect((await watch(place, world.admin, jobTopic('none'))).heard[0]?.code).toBe(100012)
  const before = mine.heard.length
  await world.db.updateTable('job').set({ status: JobStatus.running, done: 5 }).where('job_id', '=', jobID).execute()
  await expect.poll(() => mine.heard.length).toBeGreaterThan(before)
  expect(mine.heard.at(-1)).toMatchObject({ topic: jobTopic(jobID), changes: ['info'] })
})

test('limits: topics a socket, sockets a user, sockets a server', async () => {
  const place = await openPlace({ sockets: 3, socketsPerUser: 2 })
  const first = dial(place, world.admin)
  await first.opened
  for (let i = 0; i <= 100; i++) first.sub(deviceTopic({ productID: 'p1', deviceName: `d${i}` }))
  await expect.poll(() => first.heard.length).toBe(101)
  expect(first.heard.filter(({ code }) => code === 900003)).toHaveLength(1)
  const second = dial(place, world.admin)
  await second.opened
  const third = dial(place, world.admin)
  await expect.poll(() => third.end.code).toBe(1013)
  const { token } = await makeSignedIn(world)
  await dial(place, token).opened
  const last = dial(place, token)
  await expect.poll(() => last.end.code).toBe(1013)
  expect(place.live.counts()).toMatchObject({ sockets: 3, topics: 100, refused: 2 })
  expect(await place.metrics.metrics()).toContain('ithings_live{what="refused"} 2')
})

test('who sends nonsense is told, who floods is closed', async () => {
  const place = await openPlace()
  const client = dial(place, world.admin)
  await client.opened
  client.ws.send('{')
  client.ws.send(Buffer.from([1, 2]))
  client.ws.send('{"op":"sub","topic":7}')
  await expect.poll(() => client.heard.map(({ code }) => code)).toEqual([100006, 100006, 100006])
  for (let i = 0; i < 1001; i++) client.unsub('x')
  await expect.poll(() => client.end.code).toBe(1008)
  const long = dial(place, world.admin)
  await long.opened
  long.sub('x'.repeat(5000))
  await expect.poll(() => long.end.code).toBe(1009)
})

test('a client that reads nothing is dropped', async () => {
  const place = await openPlace({ noticeGapMs: 1, maxBufferedBytes: 20_000, sweepMs: 60_000 })
  const client = dial(place, world.admin)
  await client.opened
  const names = Array.from({ length: 100 }, (_, i) => `${'d'.repeat(40)}${i}`)
  for (const deviceName of names) client.sub(deviceTopic({ productID: 'p1', deviceName }))
  await expect.poll(() => client.heard.length).toBe(100)
  client.ws.pause()
  await expect
    .poll(
      () => {
        for (let round = 0; round < 20; round++)
          for (const deviceName of names) place.bus.emit('shadow.changed', { device: { ...lamp, deviceName } })
        return place.live.counts()
      },
      { interval: 2 },
    )
    .toMatchObject({ slow: 1, sockets: 0, topics: 0 })
})

test('a client that answers no ping is dropped', async () => {
  const place = await openPlace()
  const socket = connectTcp(Number(new URL(place.url).port), '127.0.0.1')
  open.push({ close: () => socket.destroy() })
  // A handshake by hand, and then silence: no pong ever comes.
  socket.write(
    `GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n` +
      `Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: ${liveProtocol}, ${world.admin}\r\n\r\n`,
  )
  socket.resume()
  await expect.poll(() => place.live.counts()).toMatchObject({ sockets: 0, silent: 1 })
})

test('a server that stops says goodbye and ends', async () => {
  const place = await openPlace()
  const client = await watch(place, world.admin)
  await place.live.stop()
  await expect.poll(() => client.end.code).toBe(1001)
})
