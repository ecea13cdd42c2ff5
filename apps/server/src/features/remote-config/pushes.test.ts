/** Configurations on their way to real devices (device-protocol.md 7). */
import { errors } from '@ithings/contract/errors.ts'
import { deleteDevice } from '@ithings/contract/features/devices/info.ts'
import { addGroupDevices, createGroup } from '@ithings/contract/features/groups.ts'
import { listHubLog } from '@ithings/contract/features/history.ts'
import { Dialect } from '@ithings/contract/features/products.ts'
import {
  ConfigHeld,
  cancelConfigPush,
  configPushLimits,
  createConfig,
  listConfigDevices,
  listConfigPushDevices,
  listConfigPushes,
  PushState,
  PushStatus,
  previewConfigPush,
  pushAllConfig,
  pushConfig,
} from '@ithings/contract/features/remote-config.ts'
import { updateCustom } from '@ithings/contract/features/scripts.ts'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeDevice, makeProduct, untilJobEnds } from '#features/devices/testing/make-devices.ts'
import { connectDevice, type DeviceKey, type TestDevice } from '#testing/mqtt-device.ts'
import { uniqueText } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'

let world: World
const connected: TestDevice[] = []
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())
afterEach(async () => {
  await Promise.all(connected.splice(0).map((device) => device.end()))
})

const asAdmin = () => ({ token: world.admin })
async function connect(key: DeviceKey, options?: Parameters<typeof connectDevice>[2]): Promise<TestDevice> {
  const device = await connectDevice(world, key, options)
  connected.push(device)
  await expect
    .poll(async () =>
      world.db
        .selectFrom('device')
        .select('is_online')
        .where('product_id', '=', key.productID)
        .where('device_name', '=', key.deviceName)
        .executeTakeFirst(),
    )
    .toEqual({ is_online: 1 })
  return device
}
const save = async (productID: string, content: string) =>
  (await world.asAdmin(createConfig, { productID, content })).id
async function pushOf(runID: string) {
  const { product_id: productID } = await world.db
    .selectFrom('rollout')
    .select('product_id')
    .where('run_id', '=', Number(runID))
    .executeTakeFirstOrThrow()
  const { list } = await world.asAdmin(listConfigPushes, { productID, runID })
  return list[0]
}
const until = (runID: string, want: object) => expect.poll(() => pushOf(runID)).toMatchObject(want)
const devicesOf = async (runID: string, filter: object = {}) =>
  (await world.asAdmin(listConfigPushDevices, { runID, ...filter })).list
/** A product with a configuration and so many devices. */
async function fleet(devices: number, fields: Parameters<typeof makeProduct>[1] = {}) {
  const productID = await makeProduct(world, fields)
  const keys: DeviceKey[] = []
  for (let i = 0; i < devices; i++) keys.push(await makeDevice(world, productID))
  return { productID, keys: keys as [DeviceKey, ...DeviceKey[]] }
}

describe('$config/up/get', () => {
  test.each([
    [Dialect.snake, 'clientToken'],
    [Dialect.camel, 'msgToken'],
  ])('in dialect %i answers the newest text to the letter in data and payload', async (dialect, tokenKey) => {
    const { productID, keys } = await fleet(1, { dialect })
    await save(productID, '{"v":1}')
    const text = '{ "v": 2, "名": "乙" }'
    const configID = await save(productID, text)
    const device = await connect(keys[0])
    const reply = await device.ask('config/get', { method: 'get', [tokenKey]: 'ask-1' })
    expect(reply).toMatchObject({ method: 'reply', [tokenKey]: 'ask-1', code: 200, data: text, payload: text })
    const { list } = await world.asAdmin(listConfigDevices, { productID })
    expect(list).toMatchObject([{ configID, held: ConfigHeld.newest, deliveredTime: expect.any(Number) }])
  })

  test('before any configuration answers 100009 and notes nothing', async () => {
    const { productID, keys } = await fleet(1)
    const device = await connect(keys[0])
    expect(await device.ask('config/get', { method: 'get' })).toMatchObject({ method: 'reply', code: 100009 })
    const { list } = await world.asAdmin(listConfigDevices, { productID })
    expect(list).toMatchObject([{ configID: 0, held: ConfigHeld.none, deliveredTime: 0 }])
  })
})

test('the devices of a product are listed, filtered and sorted by the version that they got', async () => {
  const { productID, keys } = await fleet(3)
  await save(productID, '{"v":1}')
  const [first, second] = [await connect(keys[0]), await connect(keys[1] as DeviceKey)]
  await first.ask('config/get', { method: 'get' })
  const newest = await save(productID, '{"v":2}')
  await second.ask('config/get', { method: 'get' })
  const names = async (filter: object) =>
    (await world.asAdmin(listConfigDevices, { productID, ...filter })).list.map(({ deviceName }) => deviceName)
  const [a, b, c] = keys.map(({ deviceName }) => deviceName)
  expect(await names({})).toEqual([a, b, c])
  expect(await names({ held: ConfigHeld.newest })).toEqual([b])
  expect(await names({ held: ConfigHeld.older })).toEqual([a])
  expect(await names({ held: ConfigHeld.none })).toEqual([c])
  expect(await names({ deviceName: b })).toEqual([b])
  expect(await names({ page: { orders: [{ field: 'configID', sort: 1 }] } })).toEqual([a, b, c])
  const { list } = await world.asAdmin(listConfigDevices, { productID, held: ConfigHeld.newest })
  expect(list).toMatchObject([{ configID: newest, isOnline: 1, firstLogin: expect.stringMatching(/^\d{10}$/) }])
})

describe('a push', () => {
  test('to all reaches those that are online at once, with the keys of both eras', async () => {
    const { productID, keys } = await fleet(2)
    const text = '{"interval": 60}'
    const configID = await save(productID, text)
    const devices = await Promise.all(keys.map((key) => connect(key)))
    const { runID, jobID } = await world.asAdmin(pushAllConfig, { productID })
    expect(jobID).toBe('')
    for (const device of devices) {
      const message = await device.next('config/push')
      expect(message).toMatchObject({ method: 'push', code: 200, msg: '成功', status: '成功', payload: text })
      expect(message.clientToken).toBe(message.msgToken)
    }
    await until(runID, { status: PushStatus.over, configID, scope: '全部设备', total: 2, delivered: 2, pending: 0 })
    expect(await devicesOf(runID)).toMatchObject(
      keys.map(({ deviceName }) => ({ deviceName, state: PushState.delivered, code: 200, configID })),
    )
    // Once each.
    for (const device of devices) expect(await device.quiet()).toEqual([])
  })

  test('of a large text stands in the hub log with its version and its beginning only', async () => {
    const { productID, keys } = await fleet(1)
    const text = `{"a":"${'x'.repeat(50_000)}"}`
    const configID = await save(productID, text)
    const device = await connect(keys[0])
    await world.asAdmin(pushAllConfig, { productID })
    expect(await device.next('config/push')).toMatchObject({ payload: text })
    const lines = async () => {
      const { list } = await world.asAdmin(listHubLog, { productID, deviceNames: [keys[0].deviceName] })
      return list.filter(({ topic }) => topic.startsWith('$config/down/push'))
    }
    await expect.poll(lines).toHaveLength(1)
    const content = (await lines())[0]?.content ?? ''
    expect(content).toContain('{\\"a\\":\\"xxx')
    expect(JSON.parse(content)).toMatchObject({ configID })
    expect(content.length).toBeLessThan(3_000)
  })

  test('goes through the script of its product', async () => {
    const { productID, keys } = await fleet(1)
    const transformScript = 'function configPushDown(message) { return { set: JSON.parse(message.payload).v } }'
    await world.asAdmin(updateCustom, { productID, transformScript })
    await save(productID, '{"v":7}')
    const topic = `$config/down/push/custom/${productID}/${keys[0].deviceName}`
    const device = await connect(keys[0], { subscribe: [topic] })
    await world.asAdmin(pushAllConfig, { productID })
    expect((await device.nextRaw((one) => one.topic === topic)).message).toEqual({ set: 7 })
  })

  test('waits for a device that is offline until it connects', async () => {
    const { productID, keys } = await fleet(2)
    await save(productID, '{"v":1}')
    const here = await connect(keys[0])
    const { runID } = await world.asAdmin(pushAllConfig, { productID })
    await here.next('config/push')
    await until(runID, { status: PushStatus.waiting, delivered: 1, pending: 1 })
    await expect
      .poll(() => devicesOf(runID, { state: PushState.pending }))
      .toMatchObject([{ deviceName: keys[1]?.deviceName, isOnline: 2, msg: expect.stringContaining('离线') }])
    const late = await connect(keys[1] as DeviceKey)
    expect(await late.next('config/push')).toMatchObject({ payload: '{"v":1}' })
    await until(runID, { status: PushStatus.over, delivered: 2, pending: 0 })
  })

  test('is sent again to a device that subscribes only after it was sent', async () => {
    const { productID, keys } = await fleet(1)
    await save(productID, '{"v":1}')
    const { runID } = await world.asAdmin(pushAllConfig, { productID })
    await until(runID, { status: PushStatus.waiting })
    const device = await connect(keys[0], { subscribe: [] })
    await until(runID, { status: PushStatus.over })
    await device.client.subscribeAsync(`$config/down/push/${productID}/${keys[0].deviceName}`, { qos: 1 })
    expect(await device.next('config/push')).toMatchObject({ payload: '{"v":1}' })
  })

  test('is sent again to the others when the version of one is gone', async () => {
    const { productID, keys } = await fleet(3)
    const lost = await save(productID, '{"v":1}')
    const first = await world.asAdmin(pushConfig, { productID, deviceNames: [keys[0].deviceName] })
    await until(first.runID, { status: PushStatus.waiting })
    await save(productID, '{"v":2}')
    const others = keys.slice(1).map(({ deviceName }) => deviceName)
    const second = await world.asAdmin(pushConfig, { productID, deviceNames: others })
    await until(second.runID, { status: PushStatus.waiting })
    const devices = await Promise.all(keys.map((key) => connect(key, { subscribe: [] })))
    for (const { runID } of [first, second]) await until(runID, { status: PushStatus.over })
    await world.db.deleteFrom('remote_config').where('product_id', '=', productID).where('id', '=', lost).execute()
    const listen = (device: TestDevice) =>
      device.client.subscribeAsync(`$config/down/push/${productID}/${device.key.deviceName}`, { qos: 1 })
    await Promise.all(devices.map(listen))
    for (const device of devices.slice(1)) {
      expect(await device.next('config/push')).toMatchObject({ payload: '{"v":2}' })
    }
  })

  test('is delivered to a device that asks by itself, with the newest text', async () => {
    const { productID, keys } = await fleet(1)
    await save(productID, '{"v":1}')
    const { runID } = await world.asAdmin(pushAllConfig, { productID })
    await until(runID, { status: PushStatus.waiting })
    const newest = await save(productID, '{"v":2}')
    // Only its topic of answers: what comes is what it asked for.
    const own = `${productID}/${keys[0].deviceName}`
    const device = await connect(keys[0], { subscribe: [`$config/down/get/${own}`] })
    expect(await device.ask('config/get', { method: 'get' })).toMatchObject({ data: '{"v":2}' })
    await until(runID, { status: PushStatus.over, delivered: 1 })
    await expect.poll(() => devicesOf(runID)).toMatchObject([{ configID: newest, state: PushState.delivered }])
  })

  test('to chosen devices leaves the others alone', async () => {
    const { productID, keys } = await fleet(2)
    await save(productID, '{}')
    const [chosen, other] = await Promise.all(keys.map((key) => connect(key)))
    const { runID } = await world.asAdmin(pushConfig, { productID, deviceNames: [keys[0].deviceName] })
    await chosen?.next('config/push')
    await until(runID, { status: PushStatus.over, scope: '指定设备 1 台', total: 1 })
    expect(await other?.quiet()).toEqual([])
  })

  test('to a group reaches the devices of this product in it and below it', async () => {
    const { productID, keys } = await fleet(3)
    const stranger = await makeDevice(world, await makeProduct(world))
    const groupName = uniqueText('组')
    const { groupID } = await world.asAdmin(createGroup, { groupName })
    const { groupID: below } = await world.asAdmin(createGroup, { groupName: uniqueText('组'), parentID: groupID })
    await world.asAdmin(addGroupDevices, { groupID, list: [keys[0], stranger] })
    await world.asAdmin(addGroupDevices, { groupID: below, list: [keys[1] as DeviceKey] })
    await save(productID, '{}')
    const whole = await world.asAdmin(pushConfig, { productID, groupID })
    expect((await devicesOf(whole.runID)).map(({ deviceName }) => deviceName)).toEqual([
      keys[0].deviceName,
      keys[1]?.deviceName,
    ])
    expect(await pushOf(whole.runID)).toMatchObject({ scope: `分组「${groupName}」`, total: 2 })
    const only = await world.asAdmin(pushConfig, { productID, groupID, includeChildren: false })
    expect(await pushOf(only.runID)).toMatchObject({ total: 1 })
  })

  test('of what is missing leaves out who has the newest version', async () => {
    const { productID, keys } = await fleet(2)
    await save(productID, '{}')
    const device = await connect(keys[0])
    await device.ask('config/get', { method: 'get' })
    expect(await world.asAdmin(previewConfigPush, { productID })).toMatchObject({ total: 2, online: 1 })
    expect(await world.asAdmin(previewConfigPush, { productID, onlyMissing: true })).toMatchObject({
      total: 1,
      online: 0,
    })
    const { runID } = await world.asAdmin(pushConfig, { productID, onlyMissing: true })
    expect((await devicesOf(runID)).map(({ deviceName }) => deviceName)).toEqual([keys[1]?.deviceName])
    expect((await pushOf(runID))?.scope).toBe('全部设备，仅补发未送达')
  })

  test('that is older than what the device has meanwhile does not take it back', async () => {
    const { productID, keys } = await fleet(1)
    await save(productID, '{"v":1}')
    const older = await world.asAdmin(pushConfig, { productID, deviceNames: [keys[0].deviceName] })
    await until(older.runID, { status: PushStatus.waiting })
    await save(productID, '{"v":2}')
    const newer = await world.asAdmin(pushConfig, { productID, deviceNames: [keys[0].deviceName] })
    await until(newer.runID, { status: PushStatus.waiting })
    const device = await connect(keys[0])
    await until(older.runID, { status: PushStatus.over })
    await until(newer.runID, { status: PushStatus.over })
    const texts = (await device.quiet()).map(({ message }) => message.payload)
    expect(texts.at(-1)).toBe('{"v":2}')
  })

  test('to all takes the place of older ones that still wait', async () => {
    const { productID } = await fleet(1)
    await save(productID, '{"v":1}')
    const older = await world.asAdmin(pushAllConfig, { productID })
    await until(older.runID, { status: PushStatus.waiting })
    const newer = await world.asAdmin(pushAllConfig, { productID })
    expect(await pushOf(older.runID)).toMatchObject({
      status: PushStatus.cancelled,
      reason: '已由新的下发取代',
      cancelled: 1,
      pending: 0,
    })
    expect(await devicesOf(older.runID)).toMatchObject([{ state: PushState.cancelled, msg: '已由新的下发取代' }])
    await until(newer.runID, { status: PushStatus.waiting, pending: 1 })
  })

  test('that was cancelled does not reach a device that connects later', async () => {
    const { productID, keys } = await fleet(1)
    await save(productID, '{}')
    const { runID } = await world.asAdmin(pushAllConfig, { productID })
    await until(runID, { status: PushStatus.waiting })
    await world.asAdmin(cancelConfigPush, { runID })
    await until(runID, { status: PushStatus.cancelled, cancelled: 1 })
    const device = await connect(keys[0])
    // A later push to it comes alone.
    await world.asAdmin(pushConfig, { productID, deviceNames: [keys[0].deviceName] })
    await device.next('config/push')
    expect(await device.quiet()).toEqual([])
    expect((await world.call(cancelConfigPush, { runID }, asAdmin())).code).toBe(errors.parameter.code)
  })

  test('to a device that was deleted meanwhile fails and says so', async () => {
    const { productID, keys } = await fleet(2)
    await save(productID, '{}')
    const { runID } = await world.asAdmin(pushAllConfig, { productID })
    await until(runID, { status: PushStatus.waiting })
    await world.asAdmin(deleteDevice, keys[0])
    await world.db.updateTable('rollout_device').set({ due_at: 0 }).where('run_id', '=', Number(runID)).execute()
    await until(runID, { status: PushStatus.waiting, failed: 1, pending: 1 })
    expect(await devicesOf(runID, { state: PushState.failed })).toMatchObject([
      { deviceName: keys[0].deviceName, msg: expect.stringContaining('已删除') },
    ])
  })

  test('of more than a thousand devices lists them in a job', async () => {
    const { productID } = await fleet(0)
    await sql`insert into device (product_id, device_name, secret)
      select ${productID}, 'd-' || n, 's' from generate_series(1, 1001) n`.execute(world.db)
    await save(productID, '{}')
    const { runID, jobID } = await world.asAdmin(pushConfig, { productID, rate: 6000 })
    await untilJobEnds(world, jobID)
    await until(runID, { total: 1001 })
    const found = await world.asAdmin(listConfigPushDevices, { runID, deviceName: 'd-100', page: { size: 5 } })
    expect([found.total, found.list.length]).toEqual([3, 3])
  })
})

describe('a push is refused', () => {
  test('before there is a configuration', async () => {
    const { productID } = await fleet(1)
    const { code, msg } = await world.call(pushAllConfig, { productID }, asAdmin())
    expect([code, msg]).toEqual([errors.notFound.code, expect.stringContaining('没有远程配置')])
  })

  test('for devices of another product, a group that is not there, and both at once', async () => {
    const { productID, keys } = await fleet(1)
    await save(productID, '{}')
    const stranger = await makeDevice(world, await makeProduct(world))
    const wrong = await world.call(pushConfig, { productID, deviceNames: [stranger.deviceName] }, asAdmin())
    expect([wrong.code, wrong.msg]).toEqual([errors.notFound.code, expect.stringContaining(stranger.deviceName)])
    expect((await world.call(pushConfig, { productID, groupID: 999_999 }, asAdmin())).code).toBe(errors.notFound.code)
    const both = { productID, groupID: 1, deviceNames: [keys[0].deviceName] }
    expect((await world.call(pushConfig, both, asAdmin())).code).toBe(errors.parameter.code)
  })

  test('when another version was saved than the sender saw', async () => {
    const { productID } = await fleet(1)
    const seen = await save(productID, '{"v":1}')
    await save(productID, '{"v":2}')
    expect((await world.call(pushConfig, { productID, basedOn: seen }, asAdmin())).code).toBe(errors.staleEdit.code)
  })

  test('when twenty of the product still wait, unless it takes their place', async () => {
    const { productID, keys } = await fleet(1)
    await save(productID, '{}')
    const one = { productID, deviceNames: [keys[0].deviceName] }
    for (let i = 0; i < configPushLimits.openRuns; i++) await world.asAdmin(pushConfig, one)
    const { code, msg } = await world.call(pushConfig, one, asAdmin())
    expect([code, msg]).toEqual([errors.ongoing.code, expect.stringContaining('20 次下发未结束')])
    await world.asAdmin(pushAllConfig, { productID })
    await world.asAdmin(pushConfig, one)
  })

  test('for a run of another kind or none at all', async () => {
    for (const runID of ['0', '999999', 'x']) {
      expect((await world.call(cancelConfigPush, { runID }, asAdmin())).code).toBe(errors.notFound.code)
      expect((await world.call(listConfigPushDevices, { runID }, asAdmin())).code).toBe(errors.notFound.code)
    }
  })
})
