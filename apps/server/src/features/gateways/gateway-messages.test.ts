/** What gateways say over MQTT, and what they are told (device-protocol.md 6). */
import { SignMethod, signText } from '@ithings/contract/device/credentials.ts'
import { deleteDevice, readDevice, updateDevice } from '@ithings/contract/features/devices/info.ts'
import { bindSubDevices, listSubDevices, unbindSubDevices } from '@ithings/contract/features/gateways.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { connectDevice, type DeviceKey, type TestDevice } from '#testing/mqtt-device.ts'
import { uniqueText } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'
import { addedBy, makeConnected, makeFullProduct, refusalOf } from '#uplink/testing/full-product.ts'

let world: World
let gatewayProduct: string
let childProduct: string
let gateway: TestDevice

beforeAll(async () => {
  world = await openWorld()
  gatewayProduct = await makeFullProduct(world, { deviceType: 2 })
  childProduct = await makeFullProduct(world, { deviceType: 3, autoRegister: 3 })
})
afterAll(() => world?.close())
beforeEach(async () => {
  gateway = await makeConnected(world, {}, gatewayProduct)
  return () => gateway.end()
})

const name = ({ productID, deviceName }: DeviceKey) => ({ gateWayProductID: productID, gateWaydeviceName: deviceName })
const newChild = () => makeDevice(world, childProduct)
const children = async (of: DeviceKey) => {
  const { list } = await world.asAdmin(listSubDevices, { ...name(of), page: { page: 1, size: 100 } })
  return list.map((one) => one.deviceName).sort()
}
const bound = async (of: DeviceKey = gateway.key): Promise<DeviceKey> => {
  const child = await newChild()
  await world.asAdmin(bindSubDevices, { ...name(of), list: [child] })
  return child
}
const ask = (method: string, devices?: unknown) =>
  gateway.ask('gateway/operation', { method, ...(devices === undefined ? {} : { payload: { devices } }) })
const askStatus = (method: 'online' | 'offline', devices: unknown) =>
  gateway.ask('gateway/status', { method, payload: { devices } })
const isOnline = async (key: DeviceKey) => (await world.asAdmin(readDevice, key)).isOnline

interface Signing {
  method?: SignMethod
  textOf?: (key: DeviceKey) => string
}
async function signed(key: DeviceKey, { method = SignMethod.sha256, textOf }: Signing = {}) {
  const { secret } = await world.asAdmin(readDevice, key)
  const start = textOf ? textOf(key) : `${key.productID};${key.deviceName}`
  const signature = signText(`${start};12345;1589786839`, secret, method)
  return { ...key, signature, random: 12_345, timestamp: 1_589_786_839, signMethod: method }
}

describe('register', () => {
  test('devices are made and their secrets told; a second time each says that it is there', async () => {
    const devices = [1, 2].map(() => ({ productID: childProduct, deviceName: uniqueText('reg-') }))
    const reply = await ask('register', devices)
    expect(reply).toMatchObject({ method: 'register', code: 200, timestamp: expect.any(Number) })
    const rows = (reply.payload as { devices: Array<Record<string, unknown>> }).devices
    expect(rows).toHaveLength(2)
    for (const [index, row] of rows.entries()) {
      const { secret } = await world.asAdmin(readDevice, devices[index] as DeviceKey)
      expect(row).toEqual({ ...devices[index], deviceSecret: secret, result: 200 })
    }
    const again = await ask('register', devices)
    expect(again.code).toBe(200)
    expect((again.payload as { devices: unknown }).devices).toEqual(
      devices.map((key) => ({ ...key, deviceSecret: '', result: 100010, status: expect.stringMatching(/./) })),
    )
  })

  test.each<[string, () => Promise<unknown> | unknown, string]>([
    ['a product without auto-create', async () => [{ productID: gatewayProduct, deviceName: 'a-1' }], '未打开自动注册'],
    ['an unknown product', () => [{ productID: 'NoSuchThing', deviceName: 'a-1' }], 'NoSuchThing'],
    ['no devices', () => undefined, 'devices'],
    ['an empty list', () => [], '不能少于 1'],
    ['something else than a list', () => 'all', 'devices'],
    ['a device without a name', () => [{ productID: childProduct }], 'deviceName'],
    ['a bad name', () => [{ productID: childProduct, deviceName: 'a b' }], 'deviceName'],
    [
      'more than 200',
      () => Array.from({ length: 201 }, (_, i) => ({ productID: childProduct, deviceName: `n-${i}` })),
      '200',
    ],
  ])('%s is refused with 100006 and a Chinese sentence', async (_, devices, text) => {
    const reply = await ask('register', await devices())
    expect(reply).toMatchObject({ method: 'register', code: 100006 })
    expect(reply.msg).toContain(text)
    expect(reply.msg).not.toMatch(/Invalid|expected|received/)
  })
})

describe('bind', () => {
  test.each<[string, Signing]>([
    ['HMAC-SHA256', {}],
    ['HMAC-SHA1', { method: SignMethod.sha1 }],
    ['the text of the documentation', { textOf: ({ productID, deviceName }) => `${productID}${deviceName}` }],
  ])('a child signed by %s is bound, and the gateway is told by `change`', async (_, signing) => {
    const child = await newChild()
    const reply = await ask('bind', [await signed(child, signing)])
    expect(reply).toMatchObject({ method: 'bind', code: 200, payload: { devices: [{ ...child, result: 200 }] } })
    expect(await children(gateway.key)).toEqual([child.deviceName])
    const change = await gateway.next('gateway/operation', (one) => one.method === 'change')
    expect(change).toMatchObject({ code: 200, status: '成功', msg: '成功', payload: { status: 1, devices: [child] } })
    expect(change.clientToken).toBe(change.msgToken)
    await gateway.publish('gateway/operation', { method: 'change', code: 200, msg: 'success' })
    expect(await gateway.quiet()).toEqual([])
  })

  test('a signature in capitals and texts instead of numbers count too; signMethod is hmacsha1 when left out', async () => {
    const child = await newChild()
    const { signMethod: _, ...proof } = await signed(child, { method: SignMethod.sha1 })
    const device = { ...proof, signature: proof.signature.toUpperCase(), random: '12345', timestamp: '1589786839' }
    expect((await ask('bind', [device])).code).toBe(200)
  })

  test.each<[string, (child: DeviceKey) => Promise<unknown>, number, string]>([
    ['a wrong signature', async (child) => ({ ...(await signed(child)), random: 1 }), 100006, '无效签名'],
    ['no signature', async (child) => ({ ...(await signed(child)), signature: undefined }), 100006, 'signature'],
    ['an unknown method', async (child) => ({ ...(await signed(child)), signMethod: 'md5' }), 100006, 'signMethod'],
    [
      'a device that does not exist',
      async (child) => ({ ...(await signed(child)), deviceName: 'nobody' }),
      100009,
      'nobody',
    ],
    ['a device that is no sub-device', async () => signed(await makeDevice(world, gatewayProduct)), 100006, '子设备'],
    [
      'a child of another gateway',
      async () => {
        const other = await makeDevice(world, gatewayProduct)
        return signed(await bound(other))
      },
      100006,
      '已绑定到网关',
    ],
  ])('%s fails all of them', async (_, bad, code, text) => {
    const child = await newChild()
    const reply = await ask('bind', [await signed(child), await bad(child)])
    expect(reply).toMatchObject({ method: 'bind', code })
    expect(reply.msg).toContain(text)
    expect(await children(gateway.key)).toEqual([])
  })

  test('binding again is no error', async () => {
    const child = await bound()
    expect((await ask('bind', [await signed(child)])).code).toBe(200)
    expect(await children(gateway.key)).toEqual([child.deviceName])
  })

  test('a device that is no gateway may not', async () => {
    const plain = await makeConnected(world)
    const reply = await plain.ask('gateway/operation', {
      method: 'bind',
      payload: { devices: [await signed(await newChild())] },
    })
    expect(reply).toMatchObject({ code: 100006, msg: '子设备只能由网关设备进行绑定' })
    await plain.end()
  })

  test('a gateway is told of what people bind and unbind, by its names only', async () => {
    const child = await bound()
    const told = (status: number) =>
      gateway.next('gateway/operation', (one) => (one.payload as { status: number }).status === status)
    expect((await told(1)).payload).toEqual({ status: 1, devices: [child] })
    await world.asAdmin(unbindSubDevices, { ...name(gateway.key), list: [child, await newChild()] })
    expect((await told(2)).payload).toEqual({ status: 2, devices: [child] })
  })
})

describe('unbind and describe', () => {
  test('unbinding is answered with results, told by `change`, and the child is offline', async () => {
    const child = await bound()
    await askStatus('online', [child])
    expect(await isOnline(child)).toBe(1)
    const reply = await ask('unbind', [child])
    expect(reply).toMatchObject({ method: 'unbind', code: 200, payload: { devices: [{ ...child, result: 200 }] } })
    expect(await children(gateway.key)).toEqual([])
    const change = await gateway.next('gateway/operation', (one) => (one.payload as { status: number })?.status === 2)
    expect(change.payload).toEqual({ status: 2, devices: [child] })
    await expect.poll(() => isOnline(child)).toBe(2)
  })

  test('unbinding the child of another gateway changes nothing', async () => {
    const other = await makeConnected(world, {}, gatewayProduct)
    const child = await bound(other.key)
    await other.ask('gateway/status', { method: 'online', payload: { devices: [child] } })
    expect((await ask('unbind', [child])).code).toBe(200)
    expect(await children(other.key)).toEqual([child.deviceName])
    expect(await isOnline(child)).toBe(1)
    await other.end()
  })

  test.each(['describeSubDevices', 'describe_sub_devices'])('%s lists the children', async (method) => {
    const list = [await bound(), await bound()]
    const reply = await ask(method)
    expect(reply).toMatchObject({ method: 'describeSubDevices', code: 200 })
    const { devices } = reply.payload as { devices: unknown[] }
    expect(devices).toHaveLength(2)
    expect(devices).toEqual(expect.arrayContaining(list.map((key) => ({ ...key, result: 200 }))))
  })
})

describe('online and offline', () => {
  test('children come and go as the gateway says; the first time activates them', async () => {
    const child = await bound()
    expect((await world.asAdmin(readDevice, child)).firstLogin).toBe('0')
    const reply = await askStatus('online', [child])
    expect(reply).toMatchObject({ method: 'online', code: 200, payload: { devices: [{ ...child, result: 200 }] } })
    const row = await world.asAdmin(readDevice, child)
    expect(row.isOnline).toBe(1)
    expect(Number(row.firstLogin)).toBeGreaterThan(0)
    expect(await askStatus('offline', [child])).toMatchObject({ method: 'offline', code: 200 })
    expect(await isOnline(child)).toBe(2)
  })

  test('one that is not bound to it refuses all', async () => {
    const child = await bound()
    const stranger = await newChild()
    const reply = await askStatus('online', [child, stranger])
    expect(reply.code).toBe(100006)
    expect(reply.msg).toContain(stranger.deviceName)
    expect(await isOnline(child)).toBe(2)
  })

  test('a gateway that leaves takes its children along, also those that it named in its last breath', async () => {
    const own = await makeConnected(world, {}, gatewayProduct)
    const [first, last] = [await bound(own.key), await bound(own.key)]
    await own.ask('gateway/status', { method: 'online', payload: { devices: [first] } })
    void own.publish('gateway/status', { method: 'online', payload: { devices: [last] } }).catch(() => {})
    await own.end()
    await expect.poll(() => isOnline(own.key)).toBe(2)
    await expect.poll(() => isOnline(first)).toBe(2)
    await expect.poll(() => isOnline(last)).toBe(2)
  })

  test('a deleted gateway leaves no child online, and its name gives nobody its children', async () => {
    const own = await makeConnected(world, {}, gatewayProduct)
    const child = await bound(own.key)
    await own.ask('gateway/status', { method: 'online', payload: { devices: [child] } })
    await world.asAdmin(deleteDevice, own.key)
    await own.closed
    await expect.poll(() => isOnline(child)).toBe(2)
    const heir = await connectDevice(world, await makeDevice(world, gatewayProduct, { deviceName: own.key.deviceName }))
    await heir.publish('thing/property', { method: 'report', params: { temp: 1 } }, { of: child })
    expect(await refusalOf(world, heir.key)).toMatchObject({ code: 100012 })
    await heir.end()
  })
})

describe('topics of children', () => {
  const report = { method: 'report', params: { temp: 7 } }
  const listen = (child: DeviceKey) =>
    gateway.client.subscribeAsync(`$thing/down/+/${child.productID}/${child.deviceName}`, { qos: 1 })

  test('a gateway reports for a bound child and gets the reply on the topic of the child', async () => {
    const child = await bound()
    await listen(child)
    expect(await gateway.ask('thing/property', report, child)).toMatchObject({ method: 'report_reply', code: 200 })
    expect(await addedBy(world, child)).toEqual([{ temp: 7 }])
    const event = { method: 'eventPost', eventID: 'overheat', params: { temp: 1, note: '' } }
    expect(await gateway.ask('thing/event', event, child)).toMatchObject({ code: 200 })
    expect(await gateway.ask('thing/property', { method: 'getStatus' }, child)).toMatchObject({ data: { temp: 7 } })
  })

  test('an unbound child: acknowledged, dropped, and 100012 in the log of the gateway', async () => {
    const child = await newChild()
    await gateway.publish('thing/property', report, { of: child })
    expect(await refusalOf(world, gateway.key)).toMatchObject({ code: 100012 })
    expect(await addedBy(world, child)).toEqual([])
    await expect(listen(child)).rejects.toThrow()
  })

  test('binding counts from the next message on, unbinding too', async () => {
    const child = await newChild()
    const send = () => gateway.publish('thing/property', report, { of: child })
    await send()
    await ask('bind', [await signed(child)])
    await send()
    expect(await addedBy(world, child)).toHaveLength(1)
    await ask('unbind', [child])
    await send()
    expect(await addedBy(world, child)).toHaveLength(1)
    expect(await refusalOf(world, gateway.key)).toMatchObject({ code: 100012 })
  })

  test('what is sent to a child is not heard by a gateway that it has left, on whatever server that is known first', async () => {
    const config = { databaseUrl: 'shared' }
    const one = await openWorld({ config })
    const two = await openWorld({ config, databaseUrl: one.url })
    const former = await connectDevice(two, await makeDevice(one, await makeFullProduct(one, { deviceType: 2 })))
    const child = await makeDevice(one, await makeFullProduct(one, { deviceType: 3 }))
    // The other server must know where to say it: who has just connected is written down a moment later.
    await expect.poll(async () => (await one.asAdmin(readDevice, former.key)).isOnline).toBe(1)
    await one.asAdmin(bindSubDevices, { ...name(former.key), list: [child] })
    const topic = `$thing/down/+/${child.productID}/${child.deviceName}`
    await expect.poll(() => former.client.subscribeAsync(topic, { qos: 1 }).catch(() => undefined)).toBeDefined()
    const own = await connectDevice(two, child)
    const heard = async () => {
      await own.ask('thing/property', { method: 'getStatus' })
      return (await former.quiet()).filter((received) => received.topic.endsWith(child.deviceName)).length
    }
    expect(await heard()).toBe(1)
    await one.asAdmin(unbindSubDevices, { ...name(former.key), list: [child] })
    await former.next('gateway/operation', (message) => (message.payload as { status: number }).status === 2)
    former.received.length = 0
    expect(await heard()).toBe(0)
    // Bound again it hears it again.
    await one.asAdmin(bindSubDevices, { ...name(former.key), list: [child] })
    await expect.poll(heard).toBeGreaterThan(0)
    await Promise.all([own.end(), former.end()])
    await two.close()
    await one.close()
  })

  test('a disabled child is offline, and what is said for it is logged with 100021', async () => {
    const child = await bound()
    await askStatus('online', [child])
    await world.asAdmin(updateDevice, { ...child, isEnable: 2 })
    await expect.poll(() => isOnline(child)).toBe(2)
    await askStatus('online', [child])
    expect(await isOnline(child)).toBe(2)
    await gateway.publish('thing/property', report, { of: child })
    expect(await refusalOf(world, gateway.key)).toMatchObject({ code: 100021 })
    expect(await addedBy(world, child)).toEqual([])
  })
})
