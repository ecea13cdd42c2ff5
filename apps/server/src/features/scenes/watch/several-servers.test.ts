import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestDevice } from '#testing/mqtt-device.ts'
import { openWatchRoom, reports, type WatchRoom, type WatchServer } from './testing/watch-room.ts'

let room: WatchRoom

beforeAll(async () => {
  room = await openWatchRoom()
})
afterAll(() => room.close())

let token = 0
const report = (device: TestDevice, params: Record<string, unknown>) =>
  device.ask('thing/property', { method: 'report', clientToken: `r${++token}`, params })
const keep30 = { stateKeep: { type: 'duration', value: 30, unit: 'seconds' } }
const untilHeld = (id: number, count: number) => expect.poll(async () => (await room.holdsOf(id)).length).toBe(count)
const untilFlushed = (deviceID: number, id: string, value: unknown) =>
  expect
    .poll(async () => {
      const found = room.db.selectFrom('device_latest').selectAll().where('device_id', '=', deviceID)
      return (await found.executeTakeFirst())?.properties[id]?.[0]
    })
    .toBe(value)

async function makeScene(more: Record<string, unknown> = {}) {
  const productID = await room.makeFullProduct()
  const id = await room.makeScene({ trigger: [reports(productID, 'temp', 'gt', '80', more)] })
  return { id, productID, key: await room.makeDevice(productID) }
}

describe('a restart', () => {
  test('in the middle of a state that must last: it fires at its time, once', async () => {
    const { id, key } = await makeScene(keep30)
    const first = await room.openServer()
    const device = await first.connect(key)
    await report(device, { temp: 90 })
    await untilHeld(id, 1)
    await first.close()
    room.clock.advance(20_000)
    const second = await room.openServer()
    expect(second.firedBy(id)).toEqual([])
    room.clock.advance(11_000)
    await second.untilFired(id)
    expect(second.firedBy(id)[0]).toMatchObject({ device: { deviceName: key.deviceName }, seen: { value: '90' } })
    await second.close()
    const third = await room.openServer()
    await report(await third.connect(key), { temp: 91 })
    room.clock.advance(60_000)
    await third.watch.settled()
    expect(third.firedBy(id)).toEqual([])
    await third.close()
  })

  test('longer than the state had to last: it fires when the server is back', async () => {
    const { id, key } = await makeScene(keep30)
    const first = await room.openServer()
    await report(await first.connect(key), { temp: 90 })
    await untilHeld(id, 1)
    await first.close()
    room.clock.advance(3_600_000)
    const second = await room.openServer()
    await second.untilFired(id)
    await second.close()
  })

  test('once is remembered, and so is the distance', async () => {
    const { id, productID, key } = await makeScene({ once: true })
    const far = await room.makeScene({ trigger: [reports(productID, 'temp', 'gt', '80', { minInterval: 3_600 })] })
    const first = await room.openServer()
    await report(await first.connect(key), { temp: 90 })
    await untilHeld(id, 1)
    const [firing] = first.firedBy(far)
    await first.close()
    await room.db
      .insertInto('scene_run')
      .values({
        scene_id: far,
        cause: firing?.cause ?? '',
        result: 3,
        trigger_type: 'device',
        plan: '[]',
        device_id: key.deviceID,
        product_id: productID,
        device_name: key.deviceName,
        fired_at: firing?.firedAt ?? 0,
        started_at: firing?.firedAt ?? 0,
        resume_at: null,
      })
      .execute()
    const second = await room.openServer()
    const device = await second.connect(key)
    await report(device, { temp: 91 })
    expect([...second.firedBy(id), ...second.firedBy(far)]).toEqual([])
    await report(device, { temp: 20 })
    room.clock.advance(3_600_000)
    await report(device, { temp: 92 })
    expect([second.firedBy(id).length, second.firedBy(far).length]).toEqual([1, 1])
    await second.close()
  })

  test('a silence is found that began before it, and one that was told is not told again', async () => {
    const productID = await room.makeFullProduct()
    const id = await room.makeScene({
      trigger: [{ productID, operator: 'noReport', operationSchema: { dataID: [], minutes: 5 } }],
    })
    const [one, two] = [await room.makeDevice(productID), await room.makeDevice(productID)]
    const first = await room.openServer()
    await report(await first.connect(one), { temp: 1 })
    await untilFlushed(one.deviceID, 'temp', 1)
    room.clock.advance(301_000)
    await first.untilFired(id)
    await report(await first.connect(two), { temp: 2 })
    await first.close()
    room.clock.advance(301_000)
    const second = await room.openServer()
    await second.untilFired(id)
    expect(second.firedBy(id).map((firing) => firing.device?.deviceName)).toEqual([two.deviceName])
    await second.close()
  })

  test('events are data too: who sends only events falls silent, and who sent one lately does not', async () => {
    const productID = await room.makeFullProduct()
    const id = await room.makeScene({
      trigger: [{ productID, operator: 'noReport', operationSchema: { dataID: [], minutes: 5 } }],
    })
    const [one, two] = [await room.makeDevice(productID), await room.makeDevice(productID)]
    const first = await room.openServer()
    const [eventful, usual] = [await first.connect(one), await first.connect(two)]
    const post = (device: TestDevice) =>
      device.ask('thing/event', {
        method: 'eventPost',
        clientToken: `e${++token}`,
        eventID: 'overheat',
        type: 'alert',
        params: { temp: 1, note: '' },
      })
    await post(eventful)
    await report(usual, { temp: 1 })
    await untilFlushed(two.deviceID, 'temp', 1)
    room.clock.advance(200_000)
    await post(usual)
    await first.close()
    room.clock.advance(110_000)
    const second = await room.openServer()
    await second.untilFired(id)
    expect(second.firedBy(id).map((firing) => firing.device?.deviceName)).toEqual([one.deviceName])
    room.clock.advance(200_000)
    await second.untilFired(id, 2)
    expect(second.firedBy(id)[1]?.device?.deviceName).toBe(two.deviceName)
    await post(await second.connect(one))
    room.clock.advance(301_000)
    await second.untilFired(id, 3)
    await second.close()
  })

  test('an absence whose conditions did not hold is asked about again after it', async () => {
    const productID = await room.makeFullProduct()
    const [pump, tank] = [await room.makeDevice(productID), await room.makeDevice(productID)]
    const keep = { stateKeep: { type: 'duration', value: 5, unit: 'minutes' } }
    const columnSchema = { productID, deviceName: tank.deviceName, dataID: ['level'], termType: 'gt', values: '50' }
    const id = await room.makeScene({
      trigger: [{ productID, operator: 'disConnected', operationSchema: keep }],
      when: [{ columnType: 'property', columnSchema }],
    })
    const first = await room.openServer()
    await (await first.connect(pump)).end()
    await untilHeld(id, 1)
    room.clock.advance(301_000)
    await expect.poll(async () => (await room.missesOf(id)).length).toBe(1)
    await first.close()
    const second = await room.openServer()
    await report(await second.connect(tank), { level: 60 })
    expect(second.firedBy(id)).toEqual([])
    room.clock.advance(60_000)
    await second.untilFired(id)
    expect(second.firedBy(id)[0]).toMatchObject({ device: { deviceName: pump.deviceName } })
    await second.close()
  })

  test('a device that left while the server was down is offline for so long all the same', async () => {
    const productID = await room.makeFullProduct()
    const keep = { stateKeep: { type: 'duration', value: 5, unit: 'minutes' } }
    const id = await room.makeScene({ trigger: [{ productID, operator: 'disConnected', operationSchema: keep }] })
    const [gone, back, never] = [
      await room.makeDevice(productID),
      await room.makeDevice(productID),
      await room.makeDevice(productID),
    ]
    const first = await room.openServer()
    for (const key of [gone, back]) await report(await first.connect(key), { temp: 1 })
    await expect.poll(async () => (await room.db.selectFrom('device_session').selectAll().execute()).length).toBe(2)
    await first.close()
    expect(await room.holdsOf(id)).toEqual([])
    const second = await room.openServer()
    await untilHeld(id, 2)
    await second.connect(back)
    await untilHeld(id, 1)
    room.clock.advance(301_000)
    await second.untilFired(id)
    const named = second.firedBy(id).map((firing) => firing.device?.deviceName)
    expect(named).toEqual([gone.deviceName])
    expect(named).not.toContain(never.deviceName)
    await second.close()
  })

  test('messages that were stored but not looked at when the server died are looked at again', async () => {
    const { id, productID, key } = await makeScene()
    const event = await room.makeScene({
      trigger: [{ productID, operator: 'reportEvent', operationSchema: { dataID: ['overheat'] } }],
    })
    const first = await room.openServer()
    const device = await first.connect(key)
    await report(device, { temp: 90 })
    await device.ask('thing/event', {
      method: 'eventPost',
      clientToken: 'crash',
      eventID: 'overheat',
      type: 'alert',
      params: { temp: 1, note: '' },
    })
    await report(device, { temp: 20 })
    const causes = [...first.firedBy(id), ...first.firedBy(event)].map((one) => one.cause)
    await first.close({ crash: true })
    const second = await room.openServer()
    const again = [...second.firedBy(id), ...second.firedBy(event)]
    // The same causes: who had seen to it already is told so by scene_run.
    expect(again.map((one) => one.cause)).toEqual(causes)
    expect(causes).toHaveLength(2)
    await second.close()
    const third = await room.openServer()
    expect(third.fired).toEqual([])
    await third.close()
  })

  test('what came after a clock was set right is looked at again, too', async () => {
    const { id, key } = await makeScene()
    const first = await room.openServer()
    const mark = async () => Number((await room.db.selectFrom('scene_checkpoint').selectAll().execute())[0]?.until_at)
    const ahead = room.clock.now() + 60_000
    room.clock.advance(120_000)
    await expect.poll(mark).toBeGreaterThan(ahead)
    room.clock.advance(-120_000)
    await expect.poll(mark).toBeLessThan(ahead)
    await report(await first.connect(key), { temp: 90 })
    const causes = first.firedBy(id).map((one) => one.cause)
    expect(causes).toHaveLength(1)
    await first.close({ crash: true })
    const second = await room.openServer()
    expect(second.firedBy(id).map((one) => one.cause)).toEqual(causes)
    await second.close()
  })
})

describe('two servers on one database', () => {
  test('a state that must last fires once, whoever hears the device', async () => {
    const { id, key } = await makeScene(keep30)
    const servers = [await room.openServer({ alone: false }), await room.openServer({ alone: false })] as const
    const [a, b] = servers
    const device = await a.connect(key)
    await report(device, { temp: 90 })
    await untilHeld(id, 1)
    await device.end()
    // It goes on at the other one; one that stays shows when the timer of the first has had its turn.
    const moved = await b.connect(key)
    await report(moved, { temp: 91 })
    const beacon = await room.makeDevice(key.productID)
    await report(await a.connect(beacon), { temp: 90 })
    await untilHeld(id, 2)
    room.clock.advance(31_000)
    await report(moved, { temp: 92 })
    await expect.poll(() => a.firedBy(id).some((one) => one.device?.deviceID === beacon.deviceID)).toBe(true)
    for (const server of servers) await server.watch.settled()
    const firings = () => servers.flatMap((one) => one.firedBy(id)).map((one) => one.device?.deviceID)
    await expect.poll(() => firings().toSorted()).toEqual([key.deviceID, beacon.deviceID].toSorted())
    for (const server of servers) await server.close()
    expect(firings()).toHaveLength(2)
  })

  test('a state that ended at one server is over at the other', async () => {
    const { id, key } = await makeScene({ once: true })
    const [a, b] = [await room.openServer({ alone: false }), await room.openServer({ alone: false })] as const
    const first = await a.connect(key)
    await report(first, { temp: 90 })
    await a.untilFired(id)
    await untilHeld(id, 1)
    await first.end()
    const moved = await b.connect(key)
    await report(moved, { temp: 91 })
    await b.watch.settled()
    expect(b.firedBy(id)).toEqual([])
    await report(moved, { temp: 20 })
    await untilHeld(id, 0)
    await moved.end()
    const back = await a.connect(key)
    await expect.poll(async () => (await room.db.selectFrom('device_session').selectAll().execute()).length).toBe(1)
    await report(back, { temp: 93 })
    await a.untilFired(id, 2)
    await a.close()
    await b.close()
  })

  test('a distance between firings holds wherever the device speaks', async () => {
    const { id, key } = await makeScene({ minInterval: 3_600 })
    const [a, b] = [await room.openServer({ alone: false }), await room.openServer({ alone: false })] as const
    const first = await a.connect(key)
    await report(first, { temp: 90 })
    await a.untilFired(id)
    await a.watch.settled()
    await first.end()
    const moved = await b.connect(key)
    await report(moved, { temp: 91 })
    await b.watch.settled()
    expect(b.firedBy(id)).toEqual([])
    expect(a.firedBy(id)).toHaveLength(1)
    room.clock.advance(3_600_000)
    await report(moved, { temp: 92 })
    // After such a leap one may take the other for dead and look at its message, too: with the same cause, which runs once.
    const causes = () => new Set([...a.firedBy(id), ...b.firedBy(id)].map((one) => one.cause))
    await expect.poll(() => causes().size).toBe(2)
    await a.close()
    await b.close()
    expect(causes().size).toBe(2)
  })

  test('what must happen several times is counted wherever the device speaks', async () => {
    const { id, key } = await makeScene({ stateKeep: { type: 'repeating', value: 3, window: 600 } })
    const [a, b] = [await room.openServer({ alone: false }), await room.openServer({ alone: false })] as const
    let device = await a.connect(key)
    await report(device, { temp: 90 })
    await a.watch.settled()
    await device.end()
    device = await b.connect(key)
    await report(device, { temp: 91 })
    await b.watch.settled()
    await device.end()
    device = await a.connect(key)
    await report(device, { temp: 92 })
    await a.untilFired(id)
    await a.watch.settled()
    // Counting begins anew, at the other server too.
    await device.end()
    device = await b.connect(key)
    for (const temp of [93, 94]) await report(device, { temp })
    await b.watch.settled()
    expect(b.firedBy(id)).toEqual([])
    await report(device, { temp: 95 })
    await b.untilFired(id)
    expect([a.firedBy(id).length, b.firedBy(id).length]).toEqual([1, 1])
    await a.close()
    await b.close()
  })

  test('a server that died leaves its states to the other', async () => {
    const { id, key } = await makeScene(keep30)
    const [a, b] = [await room.openServer({ alone: false }), await room.openServer({ alone: false })] as const
    await report(await a.connect(key), { temp: 90 })
    await untilHeld(id, 1)
    await a.close()
    room.clock.advance(35_000)
    await b.untilFired(id)
    await b.close()
  })

  test('a silence fires once, and not while the device reports elsewhere', async () => {
    const productID = await room.makeFullProduct()
    const id = await room.makeScene({
      trigger: [{ productID, operator: 'noReport', operationSchema: { dataID: [], minutes: 5 } }],
    })
    const key = await room.makeDevice(productID)
    const [a, b] = [await room.openServer({ alone: false }), await room.openServer({ alone: false })] as const
    const first = await a.connect(key)
    await report(first, { temp: 1 })
    await untilFlushed(key.deviceID, 'temp', 1)
    await first.end()
    room.clock.advance(200_000)
    const moved = await b.connect(key)
    const movedAt = room.clock.now()
    await report(moved, { temp: 2 })
    await untilFlushed(key.deviceID, 'temp', 2)
    // A heard it last more than five minutes ago, B did not.
    room.clock.advance(200_000)
    await report(await b.connect(await room.makeDevice(productID)), { temp: 3 })
    room.clock.advance(110_000)
    const firings = () => [...a.firedBy(id), ...b.firedBy(id)].filter((one) => one.device?.deviceID === key.deviceID)
    await expect.poll(() => firings().length).toBe(1)
    await a.close()
    await b.close()
    expect(firings()).toHaveLength(1)
    // The silence that it fired for began with what B heard.
    expect(Number(firings()[0]?.cause.split(':').at(-1))).toBeGreaterThanOrEqual(movedAt)
  })

  test('who waits for silent devices shares them with the other servers, and takes over from one that stops', async () => {
    // Those of other tests are watched, too.
    await room.db.updateTable('scene').set({ status: 2 }).execute()
    const productID = await room.makeFullProduct()
    const trigger = [{ productID, operator: 'noReport', operationSchema: { dataID: [], minutes: 5 } }]
    const id = await room.makeScene({ trigger })
    const a = await room.openServer({ alone: false })
    const keys = []
    for (let n = 0; n < 4; n++) {
      const key = await room.makeDevice(productID)
      keys.push(key)
      await report(await a.connect(key), { temp: n })
      await untilFlushed(key.deviceID, 'temp', n)
    }
    const b = await room.openServer({ alone: false })
    const watchedBy = (server: WatchServer) => server.metric('ithings_scene_silence_watched')
    // A changed scene makes everybody read at once.
    const watched = async () => {
      await room.editScene(id, { trigger })
      return [await watchedBy(a), await watchedBy(b)]
    }
    await expect.poll(watched).toEqual([2, 2])
    await a.close()
    await expect.poll(watched).toEqual([expect.anything(), 4])
    room.clock.advance(301_000)
    const names = () => b.firedBy(id).map((one) => one.device?.deviceName)
    await expect.poll(() => names().toSorted()).toEqual(keys.map((key) => key.deviceName).toSorted())
    await b.close()
  })

  test('coming and going is told once, by the server that wrote it', async () => {
    const productID = await room.makeFullProduct()
    const id = await room.makeScene({ trigger: [{ productID, operator: 'disConnected' }] })
    const key = await room.makeDevice(productID)
    const [a, b] = [await room.openServer({ alone: false }), await room.openServer({ alone: false })] as const
    const device = await a.connect(key)
    await expect.poll(async () => (await room.db.selectFrom('device_session').selectAll().execute()).length).toBe(1)
    await device.end()
    await a.untilFired(id)
    expect(b.firedBy(id)).toEqual([])
    await a.close()
    await b.close()
  })
})
