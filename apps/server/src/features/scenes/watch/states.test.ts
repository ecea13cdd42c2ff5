import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestDevice } from '#testing/mqtt-device.ts'
import { openWatchRoom, reports, type WatchRoom, type WatchServer } from './testing/watch-room.ts'

let room: WatchRoom
let server: WatchServer

beforeAll(async () => {
  room = await openWatchRoom()
  server = await room.openServer()
})
afterAll(() => room.close())

let token = 0
const report = (device: TestDevice, params: Record<string, unknown>) =>
  device.ask('thing/property', { method: 'report', clientToken: `s${++token}`, params })

async function setUp(
  more: Record<string, unknown>,
  { when = [] as unknown[], at = server, value = '80' }: { when?: unknown[]; at?: WatchServer; value?: string } = {},
) {
  const productID = await room.makeFullProduct()
  const id = await room.makeScene({ trigger: [reports(productID, 'temp', 'gt', value, more)], when })
  const key = await room.makeDevice(productID)
  const device = await at.connect(key)
  return { id, productID, device, key }
}

const keep30 = { stateKeep: { type: 'duration', value: 30, unit: 'seconds' } }
const untilHeld = (id: number, count: number) => expect.poll(async () => (await room.holdsOf(id)).length).toBe(count)

describe('a state that must last', () => {
  test('fires by the clock without a further report, once, and again after it was false', async () => {
    const { id, device } = await setUp(keep30)
    await report(device, { temp: 90 })
    await untilHeld(id, 1)
    room.clock.advance(20_000)
    await report(device, { temp: 91 })
    expect(server.firedBy(id)).toEqual([])
    room.clock.advance(11_000)
    await server.untilFired(id)
    expect(server.firedBy(id)[0]).toMatchObject({ seen: { value: '91', threshold: ['80'] } })
    await report(device, { temp: 92 })
    room.clock.advance(60_000)
    await report(device, { temp: 20 })
    await untilHeld(id, 0)
    await report(device, { temp: 93 })
    await untilHeld(id, 1)
    expect(server.firedBy(id)).toHaveLength(1)
    room.clock.advance(31_000)
    await server.untilFired(id, 2)
    await device.end()
  })

  test('fires although the packed report that shows it also ends it, and again for the next one', async () => {
    const { id, device } = await setUp(keep30)
    const pack = (temps: Array<[number, number]>) => {
      const now = room.clock.now()
      const properties = temps.map(([ago, temp]) => ({ timestamp: now - ago * 1000, params: { temp } }))
      return device.ask('thing/property', { method: 'packReport', clientToken: `s${++token}`, params: { properties } })
    }
    await pack([
      [100, 90],
      [60, 91],
      [50, 20],
      [45, 92],
      [40, 20],
    ])
    await server.untilFired(id)
    expect(server.firedBy(id)[0]).toMatchObject({ seen: { value: '90' } })
    await report(device, { temp: 93 })
    await untilHeld(id, 1)
    room.clock.advance(31_000)
    await server.untilFired(id, 2)
    await device.end()
  })

  test('a break begins the time anew', async () => {
    const { id, device } = await setUp(keep30)
    await report(device, { temp: 90 })
    room.clock.advance(20_000)
    await report(device, { temp: 20 })
    await expect
      .poll(async () => (await room.missesOf(id)).map(({ reason }) => reason))
      .toEqual([expect.stringMatching(/^只持续 2\d 秒，需 30 秒$/)])
    await report(device, { temp: 90 })
    room.clock.advance(20_000)
    await report(device, { temp: 90 })
    await server.watch.settled()
    expect(server.firedBy(id)).toEqual([])
    room.clock.advance(11_000)
    await server.untilFired(id)
    await device.end()
  })

  test('when conditions fail at that moment the next matching report asks again', async () => {
    const { id, device } = await setUp(keep30, {
      when: [
        {
          columnType: 'property',
          columnSchema: { productID: 'later', deviceName: '', dataID: ['level'], termType: 'gt', values: '5' },
        },
      ],
    })
    await device.end()
    const productID = device.key.productID
    await room.editScene(id, {
      trigger: [reports(productID, 'temp', 'gt', '80', keep30)],
      when: [
        {
          columnType: 'property',
          columnSchema: { productID, deviceName: '', dataID: ['level'], termType: 'gt', values: '5' },
        },
      ],
    })
    const other = await server.connect(await room.makeDevice(productID))
    await report(other, { temp: 90, level: 1 })
    await untilHeld(id, 1)
    room.clock.advance(31_000)
    await expect.poll(async () => (await room.missesOf(id)).at(-1)?.reason).toContain('条件不满足')
    expect(server.firedBy(id)).toEqual([])
    await report(other, { level: 9 })
    await report(other, { temp: 91 })
    await server.untilFired(id)
    expect(server.firedBy(id)[0]?.conditions).toMatchObject([{ value: '9', ok: true }])
    await other.end()
  })
})

test('what must be claimed is not overtaken by what the same message fires at once', async () => {
  const { id, device, productID } = await setUp(keep30)
  const high = await room.makeScene({ trigger: [reports(productID, 'level', 'gt', '50')] })
  await report(device, { temp: 90 })
  await untilHeld(id, 1)
  room.clock.advance(31_000)
  await report(device, { temp: 91, level: 60 })
  await server.untilFired(high)
  const order = server.fired.map(({ sceneID }) => sceneID).filter((one) => one === id || one === high)
  expect(order).toEqual([id, high])
  await device.end()
})

describe('repeating, once and distance', () => {
  test('three times within the window, then counting begins anew', async () => {
    const { id, device } = await setUp({ stateKeep: { type: 'repeating', value: 3, window: 60 } })
    for (const temp of [90, 91, 92, 93, 94]) await report(device, { temp })
    expect(server.firedBy(id).map((one) => one.seen.value)).toEqual(['92'])
    room.clock.advance(61_000)
    await report(device, { temp: 95 })
    expect(server.firedBy(id)).toHaveLength(1)
    await device.end()
  })

  test('once until it was false in between', async () => {
    const { id, device } = await setUp({ once: true })
    for (const temp of [90, 91, 20, 92, 93]) await report(device, { temp })
    expect(server.firedBy(id).map((one) => one.seen.value)).toEqual(['90', '92'])
    await device.end()
  })

  test('not again within the distance', async () => {
    const { id, device } = await setUp({ minInterval: 60 })
    await report(device, { temp: 90 })
    await report(device, { temp: 91 })
    room.clock.advance(61_000)
    await report(device, { temp: 92 })
    expect(server.firedBy(id).map((one) => one.seen.value)).toEqual(['90', '92'])
    await device.end()
  })

  test('a scene that is edited begins anew, one that is switched off is silent', async () => {
    const { id, device, productID } = await setUp({ once: true })
    await report(device, { temp: 90 })
    await untilHeld(id, 1)
    await room.editScene(id, { trigger: [reports(productID, 'temp', 'gt', '85', { once: true })] })
    await untilHeld(id, 0)
    await expect
      .poll(async () => {
        await report(device, { temp: 91 })
        return server.firedBy(id).length
      })
      .toBe(2)
    await room.editScene(id, { trigger: [reports(productID, 'temp', 'gt', '1')], status: 2 })
    await untilHeld(id, 0)
    await report(device, { temp: 92 })
    expect(server.firedBy(id)).toHaveLength(2)
    await device.end()
  })
})

describe('conditions', () => {
  const other = (productID: string, deviceName: string, values = '5') => ({
    columnType: 'property',
    columnSchema: { productID, deviceName, dataID: ['level'], termType: 'gt', values },
  })

  test('values of another device are read, and a near miss says what was seen', async () => {
    const productID = await room.makeFullProduct()
    const [pump, tank] = [await room.makeDevice(productID), await room.makeDevice(productID)]
    const id = await room.makeScene({
      trigger: [reports(productID, 'temp', 'gt', '80')],
      when: [other(productID, tank.deviceName)],
    })
    const [device, second] = [await server.connect(pump), await server.connect(tank)]
    await report(device, { temp: 90 })
    await expect
      .poll(async () => (await room.missesOf(id)).map((miss) => miss.conditions[0]))
      .toMatchObject([{ value: '', ok: false }])
    await report(second, { level: 3 })
    room.clock.advance(1_500)
    await report(device, { temp: 91 })
    await expect.poll(async () => (await room.missesOf(id)).at(-1)?.reason).toContain('实际 3')
    await report(second, { level: 7 })
    await report(device, { temp: 92 })
    await server.untilFired(id)
    expect(server.firedBy(id)[0]).toMatchObject({ seen: { value: '92' }, conditions: [{ value: '7', ok: true }] })
    await device.end()
    await second.end()
  })

  test('at most one near miss a second is kept, and twenty in all', async () => {
    const { id, device } = await setUp({ once: true })
    await report(device, { temp: 90 })
    for (let n = 0; n < 5; n++) await report(device, { temp: 91 })
    await expect.poll(() => room.missesOf(id)).not.toEqual([])
    const times = (await room.missesOf(id)).map(({ at }) => at)
    for (const [n, at] of times.entries()) expect(at - (times[n - 1] ?? 0)).toBeGreaterThanOrEqual(1_000)
    for (let n = 0; n < 25; n++) {
      room.clock.advance(1_001)
      await report(device, { temp: 91 })
    }
    await expect
      .poll(async () => {
        const rows = await room.missesOf(id)
        return rows.length === 20 && rows.at(-1)?.reason
      })
      .toBe('本次状态已触发过')
    await device.end()
  })

  test('a scene that names what is gone, and one that throws, leave the others alone', async () => {
    const productID = await room.makeFullProduct()
    const gone = await room.makeScene({
      trigger: [reports('NoSuchThing', 'temp', 'gt', '80'), reports(productID, 'nothing', 'gt', '80')],
    })
    const broken = await room.makeScene({ trigger: [reports(productID, 'temp', 'gt', '80')] })
    await room.db.updateTable('scene').set({ trigger: '{"device":[{}]}' }).where('id', '=', broken).execute()
    await room.tell('scene.changed', { sceneID: broken })
    const lost = await room.makeScene({
      trigger: [reports(productID, 'temp', 'gt', '80')],
      when: [other(productID, 'no-such-device')],
    })
    const throwing = await room.makeScene({ trigger: [reports(productID, 'temp', 'gt', '80')] })
    server.broken.add(throwing)
    const good = await room.makeScene({ trigger: [reports(productID, 'temp', 'gt', '80')] })
    const device = await server.connect(await room.makeDevice(productID))
    const reply = await report(device, { temp: 90 })
    expect(reply).toMatchObject({ code: 200 })
    await server.untilFired(good)
    await expect.poll(async () => (await room.missesOf(lost)).length).toBe(1)
    expect([gone, broken, lost].flatMap((id) => server.firedBy(id))).toEqual([])
    expect(server.faults).toEqual([])
    expect(await server.metric('ithings_scene_failed_total')).toBe(1)
    await device.end()
  })

  test('when the model changes the scene is compiled again', async () => {
    const { id, device, productID } = await setUp({})
    const drop = room.db.deleteFrom('product_function').where('product_id', '=', productID)
    await drop.where('identifier', '=', 'temp').execute()
    await room.tell('product.changed', { productID })
    await server.watch.settled()
    await report(device, { temp: 90, level: 1 })
    expect(server.firedBy(id)).toEqual([])
    await device.end()
  })
})
