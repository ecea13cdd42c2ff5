/** What devices ask for and answer: getStatus, getReport, control (device-protocol.md 5). */
import { getPropertyReply, listCommands, sendAction, sendProperty } from '@ithings/contract/features/commands.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { connectDevice, type TestDevice } from '#testing/mqtt-device.ts'
import { openWorld, type World } from '#testing/world.ts'
import { addedBy, linesOf, makeConnected, makeFullProduct, refusalOf } from './testing/full-product.ts'

let world: World
let productID: string

beforeAll(async () => {
  world = await openWorld()
  productID = await makeFullProduct(world)
})
afterAll(() => world?.close())

const connected = () => makeConnected(world, {}, productID)
/** Online for the platform too, which is a moment later. */
async function online(): Promise<TestDevice> {
  const device = await connected()
  await expect
    .poll(
      async () =>
        (
          await world.db
            .selectFrom('device')
            .select('is_online')
            .where('device_name', '=', device.key.deviceName)
            .executeTakeFirst()
        )?.is_online,
    )
    .toBe(1)
  return device
}

describe('getStatus', () => {
  const defaults = {
    power: false,
    temp: 20,
    level: 10,
    note: '',
    mode: 1,
    since: 0,
    place: { row: 3, label: '' },
    list: [],
  }

  test.each([
    ['get_status', 'get_status_reply'],
    ['getStatus', 'getStatusReply'],
  ])('%s of a silent device is answered with %s and every default', async (method, answer) => {
    const device = await connected()
    const reply = await device.ask('thing/property', { method })
    expect(reply).toMatchObject({ method: answer, code: 200 })
    expect(reply.data).toEqual(defaults)
    await device.end()
  })

  test('what was reported stands in place of the default, also when it was reported in the same breath', async () => {
    const device = await connected()
    await Promise.all([
      device.publish('thing/property', { method: 'report', params: { temp: 33, power: true, list: [1] } }),
      device.publish('thing/property', { method: 'getStatus', clientToken: 's' }),
    ])
    const reply = await device.next('thing/property', (one) => one.clientToken === 's')
    expect(reply.data).toEqual({ ...defaults, temp: 33, power: true, list: [1] })
    await device.end()
  })

  test.each<[unknown, string[]]>([
    [['temp', 'nothing'], ['temp']],
    [['nothing'], Object.keys(defaults)],
    [[], Object.keys(defaults)],
    ['temp', Object.keys(defaults)],
    [[1, null, 'level'], ['level']],
  ])('identifiers %j answer %j', async (identifiers, wanted) => {
    const device = await connected()
    const reply = await device.ask('thing/property', { method: 'getStatus', identifiers })
    expect(Object.keys(reply.data as object).sort()).toEqual([...wanted].sort())
    await device.end()
  })

  test('desired values are delivered once, stored as reported, and win over what was reported', async () => {
    const key = await makeDevice(world, productID)
    const want = (data: object) => world.asAdmin(sendProperty, { ...key, data: JSON.stringify(data), shadowControl: 2 })
    await want({ power: 1, level: 55 })
    const device = await connectDevice(world, key)
    await device.ask('thing/property', { method: 'report', params: { level: 1, temp: 2 } })
    const first = await device.ask('thing/property', { method: 'getStatus', identifiers: ['level', 'temp'] })
    expect(first.data).toEqual({ level: 55, temp: 2 })
    expect(await addedBy(world, key)).toEqual([{ level: 1, temp: 2 }, { level: 55 }])
    const second = await device.ask('thing/property', { method: 'getStatus' })
    expect(second.data).toMatchObject({ power: true, level: 55, temp: 2 })
    expect((await addedBy(world, key)).slice(2)).toEqual([{ power: true }])
    await device.ask('thing/property', { method: 'report', params: { level: 3 } })
    const third = await device.ask('thing/property', { method: 'getStatus' })
    expect(third.data).toMatchObject({ power: true, level: 3 })
    await device.end()
  })

  test('a device with a wrong clock gets its state all the same', async () => {
    const device = await connected()
    expect((await device.ask('thing/property', { method: 'getStatus', timestamp: 1 })).code).toBe(200)
    await device.end()
  })
})

describe('answers to commands', () => {
  const control = async (device: TestDevice, answer: Record<string, unknown>) => {
    const called = world.call(
      sendProperty,
      { ...device.key, data: '{"level":5}', shadowControl: 1 },
      { token: world.admin },
    )
    const order = await device.next('thing/property', (one) => one.method === 'control')
    await device.publish('thing/property', { clientToken: order.clientToken, ...answer })
    return { order, result: await called }
  }

  test.each(['control_reply', 'controlReply'])('%s stores what was asked for', async (method) => {
    const device = await online()
    const { order, result } = await control(device, { method, code: 200 })
    expect(order).toMatchObject({ msgToken: order.clientToken, params: { level: 5 }, timestamp: expect.any(Number) })
    expect(result).toMatchObject({ code: 200, data: { code: 200 } })
    expect(await addedBy(world, device.key)).toEqual([{ level: 5 }])
    await device.end()
  })

  test('a wrong clock does not make the answer void; it is stored under the time of receipt', async () => {
    const device = await online()
    const { result } = await control(device, { method: 'controlReply', code: 200, timestamp: 1_000 })
    expect(result.code).toBe(200)
    expect((await linesOf(world, device.key)).findLast((line) => line.adds)).toMatchObject({ device_time: 0 })
    await device.end()
  })

  test.each([
    [{ code: 500, msg: 'jammed' }, 500],
    [{ code: '500', status: 'jammed' }, 500],
    [{ code: 1e300 }, 2000004],
    [{ code: {} }, 2000004],
  ])('a failure %j stores nothing and is logged with 2000004', async (said, code) => {
    const device = await online()
    await control(device, { method: 'controlReply', ...said })
    expect(await addedBy(world, device.key)).toEqual([])
    expect((await refusalOf(world, device.key))?.code).toBe(2000004)
    await expect
      .poll(
        async () => (await world.asAdmin(listCommands, { ...device.key, page: { page: 1, size: 10 } })).list[0]?.code,
      )
      .toBe(code)
    await device.end()
  })

  test('a second answer to the same command is unknown: 2000001', async () => {
    const device = await online()
    const { order } = await control(device, { method: 'controlReply', code: 200 })
    await device.publish('thing/property', { method: 'controlReply', clientToken: order.clientToken, code: 200 })
    expect((await refusalOf(world, device.key))?.code).toBe(2000001)
    expect(await addedBy(world, device.key)).toHaveLength(1)
    await device.end()
  })

  test('nobody answers for another device', async () => {
    const device = await online()
    const other = await online()
    const called = world.asAdmin(sendProperty, { ...device.key, data: '{"level":6}', shadowControl: 1 })
    const order = await device.next('thing/property', (one) => one.method === 'control')
    await other.publish('thing/property', { method: 'controlReply', clientToken: order.clientToken, code: 200 })
    expect((await refusalOf(world, other.key))?.code).toBe(2000001)
    await device.publish('thing/property', { method: 'controlReply', clientToken: order.clientToken, code: 200 })
    expect((await called).code).toBe(200)
    await device.end()
    await other.end()
  })

  test.each(['params', 'data'])('a getReportReply with %s is stored like a report', async (member) => {
    const device = await online()
    const called = world.asAdmin(getPropertyReply, { ...device.key, dataIDs: ['temp'] })
    const order = await device.next('thing/property', (one) => one.method === 'getReport')
    expect(order).toMatchObject({ identifiers: ['temp'] })
    const answer = { method: 'getReportReply', clientToken: order.clientToken, code: 200, [member]: { temp: 44 } }
    await device.publish('thing/property', answer)
    await called
    expect(await addedBy(world, device.key)).toEqual([{ temp: 44 }])
    expect(await device.quiet()).toEqual([])
    await device.end()
  })

  test('a getReportReply that breaks the model is not stored, and whoever asked does not wait for the time-out', async () => {
    const device = await online()
    const called = world.call(getPropertyReply, { ...device.key, dataIDs: ['temp'] }, { token: world.admin })
    const order = await device.next('thing/property', (one) => one.method === 'getReport')
    const answer = { method: 'getReportReply', clientToken: order.clientToken, code: 200, params: { temp: 444 } }
    await device.publish('thing/property', answer)
    expect((await called).code).toBe(200)
    expect(await addedBy(world, device.key)).toEqual([])
    const line = await refusalOf(world, device.key)
    expect(line).toMatchObject({ code: 100015 })
    expect(line?.msg).toContain('temp')
    await device.end()
  })

  test.each(['response', 'data'])('an actionReply with %s reaches the caller', async (member) => {
    const device = await online()
    const called = world.asAdmin(sendAction, { ...device.key, actionID: 'blink', inputParams: '{}' })
    const order = await device.next('thing/action')
    expect(order).toMatchObject({ method: 'action', actionID: 'blink' })
    await device.publish('thing/action', {
      method: 'action_reply',
      msgToken: order.msgToken,
      code: 200,
      [member]: { done: 1 },
    })
    expect(await called).toMatchObject({ code: 200 })
    await device.end()
  })
})
