/** decisions.md 4.1 and 4.2: what is acknowledged is stored, and it is stored once. */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { connectDevice, type Message, sendAgain, type TestDevice } from '#testing/mqtt-device.ts'
import { openWorld, type World } from '#testing/world.ts'
import { addedBy, linesOf, makeConnected, makeFullProduct } from './testing/full-product.ts'

let world: World
let productID: string
beforeAll(async () => {
  world = await openWorld()
  productID = await makeFullProduct(world)
})
afterAll(() => world?.close())

const connected = () => makeConnected(world, {}, productID)
const report = (temp: number, rest: Message = {}): Message => ({ method: 'report', params: { temp }, ...rest })

async function twice(device: TestDevice, path: string, first: Message, second: Message, dup = false) {
  await device.publish(path, first)
  await device.publish(path, second, { dup })
  return addedBy(world, device.key)
}

describe('a message that comes again', () => {
  test('with the same token and content shows once; both deliveries are answered and logged', async () => {
    const device = await connected()
    const added = await twice(
      device,
      'thing/property',
      report(1, { clientToken: 't' }),
      report(1, { clientToken: 't' }),
    )
    expect(added).toEqual([{ temp: 1 }])
    for (let i = 0; i < 2; i++) {
      expect(await device.next('thing/property')).toMatchObject({ clientToken: 't', code: 200 })
    }
    const lines = (await linesOf(world, device.key)).filter((line) => line.token === 't')
    expect(lines.map((line) => [line.adds, line.code, line.msg])).toEqual([
      [true, 200, ''],
      [false, 200, '重复消息，已忽略'],
    ])
    await device.end()
  })

  test('with the same device time and content shows once, whatever its token', async () => {
    const device = await connected()
    const timestamp = world.clock.now()
    const [first, second] = [report(2, { timestamp, clientToken: 'a' }), report(2, { timestamp, msgToken: 'b' })]
    expect(await twice(device, 'thing/property', first, second)).toEqual([{ temp: 2 }])
    await device.end()
  })

  test('with the mark of MQTT shows once, also without token and time', async () => {
    const device = await connected()
    expect(await twice(device, 'thing/property', report(3), report(3), true)).toEqual([{ temp: 3 }])
    await device.end()
  })

  test('an event with the same token and time shows once', async () => {
    const device = await connected()
    const timestamp = world.clock.now()
    const event = {
      method: 'eventPost',
      eventID: 'overheat',
      timestamp,
      clientToken: 'e',
      params: { temp: 1, note: '' },
    }
    expect(await twice(device, 'thing/event', event, event)).toHaveLength(1)
    await device.end()
  })
})

describe('a message that only looks alike', () => {
  test.each([
    ['another token', report(1, { clientToken: 'a' }), report(1, { clientToken: 'b' })],
    ['another content', report(1, { clientToken: 'a' }), report(2, { clientToken: 'a' })],
    ['another time', report(1, { timestamp: Date.now() - 2_000 }), report(1, { timestamp: Date.now() - 1_000 })],
    ['neither token nor time nor the mark of MQTT', report(1), report(1)],
  ])('%s: both are stored', async (_, first, second) => {
    const device = await connected()
    expect(await twice(device, 'thing/property', first, second)).toHaveLength(2)
    await device.end()
  })

  test('two events of one moment with tokens of their own are both stored', async () => {
    const device = await connected()
    const timestamp = world.clock.now()
    const event = (clientToken: string) => ({
      method: 'eventPost',
      eventID: 'overheat',
      timestamp,
      clientToken,
      params: { temp: 1, note: '' },
    })
    expect(await twice(device, 'thing/event', event('a'), event('b'))).toHaveLength(2)
    await device.end()
  })

  test('the mark of MQTT on a message that never arrived before does not matter', async () => {
    const device = await connected()
    await device.publish('thing/property', report(6, { clientToken: 'x' }), { dup: true })
    expect(await addedBy(world, device.key)).toEqual([{ temp: 6 }])
    await device.end()
  })
})

describe('the ways of MQTT', () => {
  test.each([0, 1, 2] as const)('QoS %i: stored once and answered', async (qos) => {
    const device = await connected()
    const { productID: product, deviceName } = device.key
    const text = JSON.stringify(report(4, { clientToken: 'q' }))
    await device.client.publishAsync(`$thing/up/property/${product}/${deviceName}`, text, { qos })
    expect(await device.next('thing/property')).toMatchObject({ clientToken: 'q', code: 200 })
    expect(await addedBy(world, device.key)).toEqual([{ temp: 4 }])
    await device.end()
  })

  test('a last will is a message of the device like any other', async () => {
    const key = await makeDevice(world, productID)
    const topic = `$thing/up/property/${key.productID}/${key.deviceName}`
    const will = { topic, payload: Buffer.from(JSON.stringify(report(5))), qos: 1 as const, retain: false }
    const device = await connectDevice(world, key, { will })
    device.client.stream.destroy()
    await expect.poll(() => addedBy(world, key)).toEqual([{ temp: 5 }])
  })
})

describe('servers', () => {
  const again = [
    ['token', report(1, { clientToken: 't' })],
    [
      'event',
      { method: 'eventPost', eventID: 'overheat', clientToken: 'e', params: { temp: 1, note: 'a\u0001 😀 "x"' } },
    ],
    ['a text that PostgreSQL cannot keep', { method: 'report', clientToken: 'n', params: { note: 'a\u0000\ud800' } }],
    ['time', report(2, { timestamp: Date.now() - 5_000 })],
    ['nothing but the mark of MQTT', report(3)],
  ] as const
  const pathOf = (message: Message) => (message.method === 'eventPost' ? 'thing/event' : 'thing/property')

  test('after a restart what was stored before is known', async () => {
    const first = await openWorld()
    const key = await makeDevice(first, await makeFullProduct(first))
    const before = await connectDevice(first, key)
    for (const [, message] of again) await before.publish(pathOf(message), message)
    await first.app.close()
    const second = await openWorld({ databaseUrl: first.url })
    const after = await connectDevice(second, key)
    for (const [, message] of again) {
      await after.publish(pathOf(message), message, { dup: true })
      await after.next(pathOf(message), (reply) => reply.code === 200)
    }
    expect(await addedBy(second, key)).toHaveLength(again.length)
    await after.end()
    await second.close()
    await first.close()
  })

  test('what one server stored is known to the other that the device comes to, for as long as it moves', async () => {
    const shared = { databaseUrl: 'shared' }
    const first = await openWorld({ config: shared })
    const second = await openWorld({ databaseUrl: first.url, config: shared })
    const key = await makeDevice(first, await makeFullProduct(first))
    for (const [round, server] of [first, second, first, second].entries()) {
      const device = await connectDevice(server, key)
      const message = report(1, { clientToken: `t${Math.floor(round / 2)}` })
      await device.publish('thing/property', message)
      await device.publish('thing/property', report(2, { clientToken: 'always' }))
      await device.end()
    }
    const values = await addedBy(first, key)
    expect(values).toEqual([{ temp: 1 }, { temp: 2 }, { temp: 1 }])
    await second.close()
    await first.close()
  })
})

test('what could not be stored is not acknowledged, and is accepted when it comes again', async () => {
  const device = await connected()
  await device.ask('thing/property', report(0))
  const locker = new pg.Client({ connectionString: world.url })
  await locker.connect()
  await locker.query('begin; lock table journal in access exclusive mode')
  const message = report(9, { clientToken: 'late' })
  await expect(device.publish('thing/property', message)).rejects.toThrow('without an acknowledgement')
  await locker.query('rollback')
  await locker.end()
  const back = await sendAgain(world, device.key, 'thing/property', message)
  expect(await back.next('thing/property')).toMatchObject({ clientToken: 'late', code: 200 })
  expect(await addedBy(world, device.key)).toEqual([{ temp: 0 }, { temp: 9 }])
  await back.end()
})

test('a message that could not be looked up is not acknowledged either, and is answered when it comes again', async () => {
  const device = await connectDevice(world, await makeDevice(world, await makeFullProduct(world)))
  const locker = new pg.Client({ connectionString: world.url })
  await locker.connect()
  await locker.query('begin; lock table device_shadow in access exclusive mode')
  const message = { method: 'getStatus', clientToken: 'slow' }
  await expect(device.publish('thing/property', message)).rejects.toThrow('without an acknowledgement')
  await locker.query('rollback')
  await locker.end()
  const back = await connectDevice(world, device.key)
  expect((await back.ask('thing/property', message)).code).toBe(200)
  await back.end()
})
