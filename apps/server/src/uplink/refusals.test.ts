/** What nobody may send, or nobody can read: acknowledged, not answered, told in the hub log (device-protocol.md 4, 5). */
import { deleteDevice, readDevice, updateDevice } from '@ithings/contract/features/devices/info.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { fullTopic } from '#ports/journal-topic.ts'
import { connectDevice, credentialsOf, type TestDevice } from '#testing/mqtt-device.ts'
import { openWorld, type World } from '#testing/world.ts'
import { addedBy, linesOf, makeConnected, makeFullProduct, refusalOf } from './testing/full-product.ts'

let world: World
let device: TestDevice
let own: string

beforeAll(async () => {
  world = await openWorld()
  device = await makeConnected(world)
  own = `${device.key.productID}/${device.key.deviceName}`
})
afterAll(() => world?.close())

describe('unreadable messages are not answered but logged', () => {
  test.each([
    ['broken JSON', '{"method":"report",', 100006, '不是有效的 JSON'],
    ['nothing', '', 100006, '不是有效的 JSON'],
    ['bytes that are no UTF-8', Uint8Array.from([0x7b, 0xff, 0xfe, 0x7d]), 100006, 'UTF-8'],
    ['a list', '[]', 100006, '须为 JSON 对象'],
    ['a number', '5', 100006, '须为 JSON 对象'],
    ['null', 'null', 100006, '须为 JSON 对象'],
    ['no method', '{"params":{}}', 100006, '缺少 method'],
    ['a method that is no text', '{"method":5}', 100006, '缺少 method'],
    ['an unknown method', '{"method":"explode","clientToken":"x"}', 100013, 'explode'],
    [
      'a token that is an object',
      '{"method":"report","clientToken":{"toString":1},"params":{"power":1}}',
      100006,
      'clientToken',
    ],
    ['a token without end', `{"method":"report","msgToken":"${'t'.repeat(129)}"}`, 100006, '最长 128'],
  ])('%s', async (_, payload, code, text) => {
    await device.publishRaw(`$thing/up/property/${own}`, payload)
    expect(await device.quiet()).toEqual([])
    const line = await refusalOf(world, device.key)
    expect(line).toMatchObject({ code, adds: false })
    expect(line?.msg).toContain(text)
    expect(() => JSON.parse(line?.content ?? '')).not.toThrow()
  })

  test('bytes are shown as hex, text as it is, both shortened', async () => {
    await device.publishRaw(`$thing/up/property/${own}`, Uint8Array.from([0, 255]))
    expect(JSON.parse((await refusalOf(world, device.key))?.content ?? '')).toEqual({ hex: '00ff' })
    await device.publishRaw(`$thing/up/property/${own}`, 'x'.repeat(100_000))
    expect((await refusalOf(world, device.key))?.content.length).toBeLessThan(5_000)
  })

  test('a method in the wrong place is answered with 100013', async () => {
    const reply = await device.ask('thing/event', { method: 'report', params: { power: 1 } })
    expect(reply.code).toBe(100013)
  })

  test('a type that does not exist is logged', async () => {
    await device.publish('thing/nothing', { method: 'report', sys: { noAsk: true } })
    expect(await refusalOf(world, device.key)).toMatchObject({ code: 100013 })
  })

  test('an answer to nothing is logged with 2000001 and not answered', async () => {
    for (const [path, method] of [
      ['thing/property', 'controlReply'],
      ['thing/property', 'getReportReply'],
      ['thing/action', 'actionReply'],
    ] as const) {
      await device.publish(path, { method, clientToken: 'never-asked', code: 200, params: { power: 1 } })
      expect(await refusalOf(world, device.key)).toMatchObject({ code: 2000001, token: 'never-asked', adds: false })
    }
    expect(await device.quiet()).toEqual([])
  })
})

describe('forbidden topics are acknowledged, dropped and logged with 100012', () => {
  const forbidden: Array<[string, () => Promise<string> | string]> = [
    [
      'another device',
      async () => {
        const other = await makeDevice(world, device.key.productID)
        return `$thing/up/property/${other.productID}/${other.deviceName}`
      },
    ],
    ['its own down topic', () => `$thing/down/property/${own}`],
    ['a topic without $', () => `${own}/data`],
    ['an unknown head', () => `$secret/up/property/${own}`],
    ['too few levels', () => `$thing/up/${own}`],
    ['a topic of 20,000 characters', () => `$thing/up/${'x'.repeat(20_000)}/${own}`],
  ]
  test.each(forbidden)('%s', async (_, topicOf) => {
    const topic = await topicOf()
    await device.publishRaw(topic, JSON.stringify({ method: 'report', clientToken: 'f', params: { power: 1 } }))
    const line = await refusalOf(world, device.key)
    expect(line).toMatchObject({ code: 100012, adds: false })
    expect(fullTopic(line?.topic ?? '', { ...device.key, kind: line?.kind ?? 0, up: true }).slice(0, 500)).toBe(
      topic.slice(0, 500),
    )
    expect(String(line?.msg)).toContain('不能向主题')
    expect(await device.quiet()).toEqual([])
  })

  test('nothing of it reaches the other device, and it has no lines of it', async () => {
    const other = await makeConnected(world, {}, device.key.productID)
    const payload = JSON.stringify({ method: 'control', params: { power: 1 } })
    for (const way of ['up', 'down']) {
      await device.publishRaw(`$thing/${way}/property/${other.key.productID}/${other.key.deviceName}`, payload)
    }
    expect(await other.quiet()).toEqual([])
    expect(await addedBy(world, other.key)).toEqual([])
    const kinds = (await linesOf(world, other.key)).map((line) => line.code)
    expect(kinds.every((code) => code === 200)).toBe(true)
    await other.end()
  })

  test('a device that does not exist is refused too', async () => {
    await device.publishRaw(`$thing/up/property/${device.key.productID}/nobody`, '{"method":"report"}')
    expect((await refusalOf(world, device.key))?.code).toBeOneOf([100009, 100012])
  })

  test('a retained message is not kept for anybody', async () => {
    const { client } = device
    await client.publishAsync(`$thing/up/property/${own}`, JSON.stringify({ method: 'report', params: { power: 1 } }), {
      qos: 1,
      retain: true,
    })
    await device.next('thing/property')
    const again = await connectDevice(world, await makeDevice(world, device.key.productID))
    expect(await again.quiet()).toEqual([])
    await again.end()
  })
})

describe('limits and counters', () => {
  test('a subscription to what belongs to others is refused with 128 and logged with 100012', async () => {
    const other = await makeDevice(world, device.key.productID)
    const topics = [`$thing/down/property/${other.productID}/${other.deviceName}`, `$thing/up/property/${own}`, '#']
    for (const topic of topics) {
      await expect(device.client.subscribeAsync(topic, { qos: 1 })).rejects.toThrow()
      await expect.poll(async () => (await refusalOf(world, device.key))?.msg).toBe(`不能订阅主题 ${topic}`)
      expect(await refusalOf(world, device.key)).toMatchObject({ code: 100012 })
    }
  })

  test('a message that is too big ends the connection, and the log says so', async () => {
    const one = await makeConnected(world)
    await expect(one.publish('thing/property', { note: 'x'.repeat(300_000) })).rejects.toThrow()
    await expect.poll(async () => (await refusalOf(world, one.key))?.msg).toContain('消息超过大小限制')
  })

  test('what became of messages is counted', async () => {
    const counted = async (result: string) => {
      const { payload } = await world.app.http.inject({ url: '/metrics', remoteAddress: '127.0.0.1' })
      const line = payload
        .split('\n')
        .find((one) => one.startsWith(`ithings_uplink_messages_total{result="${result}"}`))
      return Number(line?.split(' ')[1] ?? 0)
    }
    const results = ['stored', 'refused', 'repeated'] as const
    const before = await Promise.all(results.map(counted))
    const report = { method: 'report', clientToken: 'counted', params: { power: 1 } }
    await device.publish('thing/property', report)
    await device.publish('thing/property', report)
    await device.publishRaw(`$thing/up/property/${own}`, 'x')
    const after = await Promise.all(results.map(counted))
    expect(after.map((count, index) => count - (before[index] ?? 0))).toEqual([2, 1, 1])
  })
})

describe('disabled and deleted devices', () => {
  const reasonOf = async (key: { productID: string; deviceName: string }) => {
    const line = (await linesOf(world, key)).findLast((one) => one.kind === 2)
    return line && JSON.parse(line.content).reason
  }

  test('a disabled device is refused at connect with 5 and comes in again once it is enabled', async () => {
    const key = await makeDevice(world, await makeFullProduct(world))
    await world.asAdmin(updateDevice, { ...key, isEnable: 2 })
    await expect(connectDevice(world, key)).rejects.toMatchObject({ code: 5 })
    await world.asAdmin(updateDevice, { ...key, isEnable: 1 })
    const back = await connectDevice(world, key)
    expect((await back.ask('thing/property', { method: 'report', params: { power: 1 } })).code).toBe(200)
    await back.end()
  })

  test('a device that is disabled while it is connected is sent away, and the log says why', async () => {
    const one = await makeConnected(world)
    await world.asAdmin(updateDevice, { ...one.key, isEnable: 2 })
    await one.closed
    await expect.poll(() => reasonOf(one.key)).toContain('已禁用')
    await expect.poll(async () => (await world.asAdmin(readDevice, one.key)).isOnline).toBe(2)
    await expect(connectDevice(world, one.key)).rejects.toMatchObject({ code: 5 })
  })

  test('a change that leaves it enabled does not end its connection', async () => {
    const one = await makeConnected(world)
    await world.asAdmin(updateDevice, { ...one.key, deviceAlias: '新名' })
    expect((await one.ask('thing/property', { method: 'report', params: { power: 1 } })).code).toBe(200)
    expect(one.client.connected).toBe(true)
    await one.end()
  })

  test('a deleted device is sent away and does not come in again', async () => {
    const one = await makeConnected(world)
    const credentials = await credentialsOf(world, one.key)
    await world.asAdmin(deleteDevice, one.key)
    await one.closed
    await expect(connectDevice(world, one.key, credentials)).rejects.toMatchObject({ code: 4 })
  })

  test('a device that was deleted and made anew does not speak with its old connection', async () => {
    const one = await makeConnected(world)
    await world.asAdmin(deleteDevice, one.key)
    await makeDevice(world, one.key.productID, { deviceName: one.key.deviceName })
    await one.closed
    expect(await addedBy(world, one.key)).toEqual([])
  })
})
