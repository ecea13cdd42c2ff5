import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestDevice } from '#testing/mqtt-device.ts'
import { openWatchRoom, reports, type WatchRoom, type WatchServer } from './testing/watch-room.ts'

let room: WatchRoom
let server: WatchServer
let productID: string

beforeAll(async () => {
  room = await openWatchRoom()
  server = await room.openServer()
  productID = await room.makeFullProduct()
})
afterAll(() => room.close())

let token = 0
const report = (device: TestDevice, params: Record<string, unknown>, timestamp?: number) =>
  device.ask('thing/property', { method: 'report', clientToken: `t${++token}`, params, timestamp })

async function makeOnline(product = productID) {
  const key = await room.makeDevice(product)
  return { ...(await server.connect(key)), deviceID: key.deviceID }
}

describe('triggers on properties', () => {
  const cases: Array<[string, unknown, string, unknown, unknown]> = [
    ['temp', '80', 'gt', 80.5, 80],
    ['temp', '80', 'gte', 80, 79.9],
    ['temp', '10', 'lt', 9.5, 10],
    ['temp', '10', 'lte', 10, 10.5],
    ['level', '5', 'eq', 5, 6],
    ['level', '5', 'not', 6, 5],
    ['level', ['5', '7'], 'btw', 7, 8],
    ['level', ['5', '7'], 'in', 7, 6],
    ['power', '1', 'eq', 1, 0],
    ['note', 'a', 'eq', 'a', 'b'],
    ['note', ['a', 'c'], 'in', 'c', 'b'],
    ['mode', '2', 'eq', 2, 1],
  ]
  test.each(cases)('%s %s by %s fires for %s and not for %s', async (dataID, values, termType, yes, no) => {
    const product = await room.makeFullProduct()
    const id = await room.makeScene({ trigger: [reports(product, dataID, termType, values)] })
    const device = await makeOnline(product)
    await report(device, { [dataID]: no })
    expect(server.firedBy(id)).toEqual([])
    await report(device, { [dataID]: yes })
    expect(server.firedBy(id)).toHaveLength(1)
    await device.end()
  })

  test('a firing names the message, the device, the value and the threshold', async () => {
    const id = await room.makeScene({ trigger: [reports(productID, 'temp', 'gt', '80')] })
    const device = await makeOnline()
    await report(device, { temp: 90.5 })
    const [firing] = server.firedBy(id)
    const row = await room.db
      .selectFrom('journal')
      .selectAll()
      .where('device_id', '=', device.deviceID)
      .where('adds', '=', true)
      .executeTakeFirstOrThrow()
    const trace = `${row.at.toString(16).padStart(12, '0')}${row.seq.toString(16).padStart(10, '0')}`
    expect(firing).toMatchObject({
      sceneID: id,
      cause: `${trace}:${device.deviceID}`,
      traceID: trace,
      device: { deviceID: device.deviceID, productID },
      seen: { dataID: 'temp', value: '90.5', threshold: ['80'] },
      depth: 0,
    })
    await device.end()
  })

  test('a member of a struct and a property without a comparison', async () => {
    const product = await room.makeFullProduct()
    const member = await room.makeScene({ trigger: [reports(product, ['place', 'row'], 'gt', '5')] })
    const any = await room.makeScene({ trigger: [reports(product, 'place')] })
    const device = await makeOnline(product)
    await report(device, { place: { row: 3, label: 'x' } })
    await report(device, { place: { row: 7, label: 'x' } })
    expect([server.firedBy(member).length, server.firedBy(any).length]).toEqual([1, 2])
    await device.end()
  })

  test('chosen devices only', async () => {
    const [one, other] = [await makeOnline(), await makeOnline()]
    const id = await room.makeScene({
      trigger: [reports(productID, 'level', 'gt', '50', { selector: 'fixed', selectorValues: [one.key.deviceName] })],
    })
    await report(other, { level: 60 })
    await report(one, { level: 60 })
    expect(server.firedBy(id).map((firing) => firing.device?.deviceName)).toEqual([one.key.deviceName])
    await one.end()
    await other.end()
  })

  test('a value older than the newest known does not trigger, a newer one in the same message does', async () => {
    const device = await makeOnline()
    const late = await room.makeScene({ trigger: [reports(productID, 'temp', 'gt', '80')] })
    const other = await room.makeScene({ trigger: [reports(productID, 'level', 'gt', '80')] })
    const now = room.clock.now()
    await report(device, { temp: 20 }, now - 1_000)
    await report(device, { temp: 90, level: 90 }, now - 60_000)
    await server.watch.settled()
    expect([server.firedBy(late).length, server.firedBy(other).length]).toEqual([0, 1])
    await report(device, { temp: 91 }, now)
    await server.watch.settled()
    expect(server.firedBy(late)).toHaveLength(1)
    await device.end()
  })

  test('messages of one device are judged in the order of their arrival', async () => {
    const product = await room.makeFullProduct()
    const id = await room.makeScene({ trigger: [reports(product, 'level', 'gte', '0')] })
    const device = await makeOnline(product)
    const levels = Array.from({ length: 100 }, (_, level) => level)
    await Promise.all(
      levels.map((level) =>
        device.publish('thing/property', { method: 'report', clientToken: `o${level}`, params: { level } }),
      ),
    )
    await server.untilFired(id, 100)
    expect(server.firedBy(id).map((firing) => Number(firing.seen.value))).toEqual(levels)
    await device.end()
  })

  test('the parts of a packed message are judged in their order, each on its own', async () => {
    const product = await room.makeFullProduct()
    const id = await room.makeScene({ trigger: [reports(product, 'temp', 'gt', '80')] })
    const device = await makeOnline(product)
    const now = room.clock.now()
    await device.ask('thing/property', {
      method: 'packReport',
      clientToken: 'pack',
      params: {
        properties: [
          { timestamp: now - 3_000, params: { temp: 81 } },
          { timestamp: now - 2_000, params: { temp: 20 } },
          { timestamp: now - 1_000, params: { temp: 82 } },
        ],
      },
    })
    await server.watch.settled()
    expect(server.firedBy(id).map((firing) => firing.seen.value)).toEqual(['81', '82'])
    await device.end()
  })
})

describe('events, presence and silence', () => {
  test('an event, and a parameter of it', async () => {
    const event = (dataID: string[], more = {}) => ({
      productID,
      operator: 'reportEvent',
      operationSchema: { dataID, ...more },
    })
    const any = await room.makeScene({ trigger: [event(['overheat'])] })
    const hot = await room.makeScene({ trigger: [event(['overheat', 'temp'], { termType: 'gt', values: '90' })] })
    const device = await makeOnline()
    const post = (temp: number) =>
      device.ask('thing/event', {
        method: 'eventPost',
        clientToken: `e${++token}`,
        eventID: 'overheat',
        type: 'alert',
        params: { temp, note: 'x' },
      })
    await post(85)
    await post(95)
    expect([server.firedBy(any).length, server.firedBy(hot).length]).toEqual([2, 1])
    await device.end()
  })

  test('coming and going, each once', async () => {
    const product = await room.makeFullProduct()
    const came = await room.makeScene({ trigger: [{ productID: product, operator: 'connected' }] })
    const left = await room.makeScene({ trigger: [{ productID: product, operator: 'disConnected' }] })
    const key = await room.makeDevice(product)
    const device = await server.connect(key)
    await server.untilFired(came)
    // Taken over by a second connection: it never was away.
    const again = await server.connect(key)
    await device.closed
    await again.end()
    await server.untilFired(left)
    expect(server.firedBy(came)).toHaveLength(1)
  })

  test('offline for five minutes fires by the clock, and not when it came back before', async () => {
    const product = await room.makeFullProduct()
    const keep = { stateKeep: { type: 'duration', value: 5, unit: 'minutes' } }
    const id = await room.makeScene({
      trigger: [{ productID: product, operator: 'disConnected', operationSchema: keep }],
    })
    const key = await room.makeDevice(product)
    await (await server.connect(key)).end()
    await expect.poll(async () => (await room.holdsOf(id)).length).toBe(1)
    const back = await server.connect(key)
    await expect.poll(async () => (await room.holdsOf(id)).length).toBe(0)
    await back.end()
    await expect.poll(async () => (await room.holdsOf(id)).length).toBe(1)
    expect(server.firedBy(id)).toEqual([])
    room.clock.advance(300_000)
    await server.untilFired(id)
    expect(server.firedBy(id)[0]).toMatchObject({ device: { deviceName: key.deviceName } })
  })

  test('no data for two minutes fires once for each silence; who never reported is not silent', async () => {
    const product = await room.makeFullProduct()
    const silence = (dataID: string[]) => ({
      productID: product,
      operator: 'noReport',
      operationSchema: { dataID, minutes: 2 },
    })
    const device = await makeOnline(product)
    const mute = await makeOnline(product)
    const any = await room.makeScene({ trigger: [silence([])] })
    const temp = await room.makeScene({ trigger: [silence(['temp'])] })
    /** Newest values are written each second: the database is the truth for all servers. */
    const reportStored = async (id: string, value: number) => {
      await report(device, { [id]: value })
      await expect
        .poll(async () => {
          const row = await room.db
            .selectFrom('device_latest')
            .selectAll()
            .where('device_id', '=', device.deviceID)
            .executeTakeFirst()
          return row?.properties[id]?.[0]
        })
        .toBe(value)
    }
    await reportStored('temp', 20)
    room.clock.advance(90_000)
    await reportStored('level', 1)
    room.clock.advance(31_000)
    await server.untilFired(temp)
    expect(server.firedBy(any)).toEqual([])
    room.clock.advance(90_000)
    await server.untilFired(any)
    room.clock.advance(600_000)
    await reportStored('temp', 21)
    room.clock.advance(121_000)
    await server.untilFired(temp, 2)
    await server.untilFired(any, 2)
    expect(server.fired.filter((one) => one.device?.deviceID === mute.deviceID)).toEqual([])
    await device.end()
    await mute.end()
  })
})

test('a silence and an absence whose conditions do not hold fire when they do, without a word of the device', async () => {
  const product = await room.makeFullProduct()
  const tank = await makeOnline(product)
  const when = [
    {
      columnType: 'property',
      columnSchema: {
        productID: product,
        deviceName: tank.key.deviceName,
        dataID: ['level'],
        termType: 'gt',
        values: '50',
      },
    },
  ]
  const keep = { stateKeep: { type: 'duration', value: 2, unit: 'minutes' } }
  const silent = await room.makeScene({
    trigger: [{ productID: product, operator: 'noReport', operationSchema: { dataID: ['temp'], minutes: 2 } }],
    when,
  })
  const away = await room.makeScene({
    trigger: [{ productID: product, operator: 'disConnected', operationSchema: keep }],
    when,
  })
  const pump = await makeOnline(product)
  await report(pump, { temp: 20 })
  await expect
    .poll(async () => {
      const found = room.db.selectFrom('device_latest').selectAll().where('device_id', '=', pump.deviceID)
      return (await found.executeTakeFirst())?.properties.temp?.[0]
    })
    .toBe(20)
  await pump.end()
  await expect.poll(async () => (await room.holdsOf(away)).length).toBe(1)
  room.clock.advance(121_000)
  for (const id of [silent, away]) await expect.poll(async () => (await room.missesOf(id)).length).toBe(1)
  await report(tank, { level: 60 })
  expect([...server.firedBy(silent), ...server.firedBy(away)]).toEqual([])
  room.clock.advance(60_000)
  for (const id of [silent, away]) {
    await server.untilFired(id)
    expect(server.firedBy(id)[0]).toMatchObject({
      device: { deviceID: pump.deviceID },
      conditions: [{ value: '60', ok: true }],
    })
    // What was asked again in vain is not told each time.
    expect(await room.missesOf(id)).toHaveLength(1)
  }
  await tank.end()
})

describe('groups', () => {
  test('devices that come and go are in and out, groups below included', async () => {
    const { createGroup } = await import('#features/groups/create-group.ts')
    const { addGroupDevices, removeGroupDevices } = await import('#features/groups/group-devices.ts')
    const above = await createGroup(room.db, { groupName: '一厂' } as never)
    const below = await createGroup(room.db, { groupName: '一车间', parentID: Number(above.groupID) } as never)
    const device = await makeOnline()
    const id = await room.makeScene({
      trigger: [reports(productID, 'level', 'gt', '50', { selector: 'group', selectorValues: [above.groupID] })],
    })
    await report(device, { level: 61 })
    const members = { groupID: Number(below.groupID), list: [device.key] }
    await addGroupDevices(room.db, members)
    await room.tell('group.changed', {})
    await expect
      .poll(async () => {
        await report(device, { level: 62 })
        return server.firedBy(id).length
      })
      .toBeGreaterThan(0)
    expect(server.firedBy(id).every((firing) => firing.seen.value === '62')).toBe(true)
    await removeGroupDevices(room.db, members)
    await room.tell('group.changed', {})
    await expect
      .poll(async () => {
        const before = server.firedBy(id).length
        await report(device, { level: 63 })
        return server.firedBy(id).length - before
      })
      .toBe(0)
    await device.end()
  })
})
