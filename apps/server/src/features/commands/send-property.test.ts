import { listCommands, readPropertyReply, sendProperty } from '@ithings/contract/features/commands.ts'
import { bindSubDevices } from '@ithings/contract/features/gateways.ts'
import { DeviceType } from '@ithings/contract/features/products.ts'
import { updateCustom } from '@ithings/contract/features/scripts.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { activate, makeDevice, makeProduct } from '#features/devices/testing/make-devices.ts'
import { openWorld, type World } from '#testing/world.ts'
import {
  type CommandsServer,
  deviceIDOf,
  makeLamp,
  makeLampProduct,
  openCommandsServer,
} from './testing/commands-server.ts'

let world: World
let server: CommandsServer
let productID: string

beforeAll(async () => {
  world = await openWorld()
  productID = await makeLampProduct(world)
})
beforeEach(async () => {
  server = await openCommandsServer(world)
  return () => server.close()
})
afterAll(() => world.close())

const json = JSON.stringify
const key = ({ productID, deviceName }: { productID: string; deviceName: string }) => ({ productID, deviceName })
const historyOf = async (lamp: { productID: string; deviceName: string }) =>
  (await server.call(listCommands, key(lamp))).data.list

describe('a device that is online', () => {
  test('gets the values of the model and its answer is the answer of the call', async () => {
    const lamp = await makeLamp(world, productID)
    // http-api.md 4.5: consoles send 0 and 1 for bool and text for floats.
    const body = { ...key(lamp), data: json({ power: 1, level: '35', hue: '0.3', mode: 2 }) }
    const called = server.call(sendProperty, body)
    const request = await server.answer('property')
    expect(server.published).toHaveLength(1)
    const { topic, message } = server.published[0]!
    expect(topic).toBe(`$thing/down/property/${productID}/${lamp.deviceName}`)
    expect(message).toMatchObject({ method: 'control', params: { power: true, level: 35, hue: 0.3, mode: 2 } })
    expect(message.clientToken).toBe(message.msgToken)
    expect(request?.params).toEqual({ power: true, level: 35, hue: 0.3, mode: 2 })
    const { status, data } = await called
    expect(status).toBe(200)
    expect(data).toEqual({ clientToken: message.clientToken, code: 200, status: '成功', msg: '成功', viaShadow: false })
  })

  test('answers with an error of its own: HTTP 200 and its code in data', async () => {
    const lamp = await makeLamp(world, productID)
    const called = server.call(sendProperty, { ...key(lamp), data: json({ power: false }) })
    await server.answer('property', { code: 4711, msg: '灯丝断了' })
    expect(await called).toMatchObject({
      status: 200,
      code: 200,
      data: { code: 4711, status: '灯丝断了', msg: '灯丝断了' },
    })
    expect(await historyOf(lamp)).toMatchObject([{ state: 3, code: 4711, status: '灯丝断了' }])
  })

  test('who sent it, what, and what came back is in the history when the call returns', async () => {
    const lamp = await makeLamp(world, productID)
    const called = server.call(sendProperty, { ...key(lamp), data: json({ power: true }) })
    await server.answer('property')
    const { data } = await called
    const [row] = await historyOf(lamp)
    expect(row).toMatchObject({
      clientToken: data.clientToken,
      ...key(lamp),
      kind: 1,
      payload: '{"power":true}',
      state: 2,
      code: 200,
      userName: 'operator',
      source: 'user',
      viaShadow: false,
    })
    expect(Number(row?.doneTime)).toBeGreaterThanOrEqual(Number(row?.sentTime))
    expect(server.done).toEqual([
      expect.objectContaining({ clientToken: data.clientToken, code: 200, device: expect.objectContaining(key(lamp)) }),
    ])
  })

  test('leaves a line on its way down in the hub log', async () => {
    const lamp = await makeLamp(world, productID)
    const called = server.call(sendProperty, { ...key(lamp), data: json({ power: true }) })
    await server.answer('property')
    const { data } = await called
    expect(server.entries).toEqual([
      expect.objectContaining({
        deviceID: lamp.deviceID,
        up: false,
        kind: 3,
        method: 'control',
        token: data.clientToken,
        code: 200,
        logDays: 7,
        values: undefined,
      }),
    ])
    expect(JSON.parse(server.entries[0]!.content)).toMatchObject({ params: { power: true } })
  })

  test('counts as online by its session before the database knows', async () => {
    const lamp = await makeLamp(world, productID, false)
    const device = { ...lamp, deviceType: 1 }
    const session = { device, clientID: '', ip: '', connectedAt: 0, registering: false }
    server.sessions.set(`${productID}/${lamp.deviceName}`, session)
    const called = server.call(sendProperty, { ...key(lamp), data: json({ power: true }), shadowControl: 1 })
    await server.answer('property')
    expect(await called).toMatchObject({ code: 200 })
  })
})

describe('values', () => {
  const refused = [
    ['an unknown property', { colour: 1 }, 100006, /属性 colour/],
    ['a read-only property', { temp: 20 }, 100006, /temp 是只读的/],
    ['a number outside of its range', { level: 105 }, 100015, /0–100/],
    ['a number off its step', { level: 7 }, 100015, /步长 5/],
    ['an enumeration without that entry', { mode: 3 }, 100015, /1、2/],
    ['a text for a bool', { power: 'maybe' }, 100006, /布尔值/],
    ['one wrong among right ones', { power: true, level: 'x' }, 100006, /level 须为整数/],
    ['nothing at all', {}, 100006, /没有要设置的属性/],
  ] as const

  test.each(refused)('%s is refused and nothing is sent', async (_, values, code, text) => {
    const lamp = await makeLamp(world, productID)
    const answer = await server.call(sendProperty, { ...key(lamp), data: json(values) })
    expect(answer).toMatchObject({ status: 400, code })
    expect(answer.msg).toMatch(text)
    expect(server.published).toEqual([])
    expect(await historyOf(lamp)).toEqual([])
  })

  test.each(['[1]', '"x"', '{"power":', '12'])('data that is no JSON object is refused: %s', async (data) => {
    const lamp = await makeLamp(world, productID)
    expect(await server.call(sendProperty, { ...key(lamp), data })).toMatchObject({ status: 400, code: 100006 })
  })

  test('text that the database cannot hold is refused, not half sent', async () => {
    const lamp = await makeLamp(world, productID)
    const answer = await server.call(sendProperty, { ...key(lamp), data: json({ note: 'a\0b' }) })
    expect(answer).toMatchObject({ status: 400, code: 100006 })
    expect(server.published).toEqual([])
    expect(server.deps.pending.counts().kept).toBe(0)
  })
})

describe('a device that is not there', () => {
  test('unknown: 100009', async () => {
    const body = { productID, deviceName: 'ghost', data: json({ power: true }) }
    expect(await server.call(sendProperty, body)).toMatchObject({ status: 400, code: 100009 })
  })

  test('offline and live only: 2000003, and the history says so', async () => {
    const lamp = await makeLamp(world, productID, false)
    const body = { ...key(lamp), data: json({ power: true }), shadowControl: 1 }
    expect(await server.call(sendProperty, body)).toMatchObject({ status: 400, code: 2000003 })
    expect(await historyOf(lamp)).toMatchObject([{ state: 3, code: 2000003, payload: '{"power":true}' }])
    expect(server.published).toEqual([])
  })

  test('offline, and one of the properties has no shadow: 2000003', async () => {
    const lamp = await makeLamp(world, productID, false)
    const body = { ...key(lamp), data: json({ power: true, hue: 1 }) }
    expect(await server.call(sendProperty, body)).toMatchObject({ status: 400, code: 2000003 })
  })

  test('a sub-device without gateway: 100009', async () => {
    const child = await makeLampProduct(world, { deviceType: DeviceType.subDevice })
    const lamp = await makeLamp(world, child)
    const answer = await server.call(sendProperty, { ...key(lamp), data: json({ power: true }) })
    expect(answer).toMatchObject({ status: 400, code: 100009 })
    expect(answer.msg).toContain('子设备未绑定网关')
  })

  test('a sub-device is reached through its gateway while both are online', async () => {
    const child = await makeLampProduct(world, { deviceType: DeviceType.subDevice })
    const gateway = await makeDevice(world, await makeProduct(world, { deviceType: DeviceType.gateway }))
    const lamp = await makeLamp(world, child)
    await world.asAdmin(bindSubDevices, {
      gateWayProductID: gateway.productID,
      gateWaydeviceName: gateway.deviceName,
      list: [key(lamp)],
    })
    const body = { ...key(lamp), data: json({ power: true }), shadowControl: 1 }
    const away = await server.call(sendProperty, body)
    expect(away).toMatchObject({ status: 400, code: 2000003 })
    expect(away.msg).toContain(`网关 ${gateway.deviceName}`)
    await activate(world, gateway, true)
    const called = server.call(sendProperty, body)
    await server.answer('property')
    expect(await called).toMatchObject({ code: 200 })
    expect(server.published[0]?.topic).toBe(`$thing/down/property/${child}/${lamp.deviceName}`)
    await activate(world, lamp, false)
    expect(await server.call(sendProperty, body)).toMatchObject({ code: 2000003 })
  })
})

describe('a device that does not answer', () => {
  test('in time: 100016, and a late reply still completes the command', async () => {
    const slow = await openCommandsServer(world, { timeoutMs: 50 })
    try {
      const lamp = await makeLamp(world, productID)
      const answer = await slow.call(sendProperty, { ...key(lamp), data: json({ power: true }) })
      expect(answer).toMatchObject({ status: 400, code: 100016, msg: '等待超时:设备回复超时' })
      expect(await historyOf(lamp)).toMatchObject([{ state: 4, code: 100016 }])
      expect(slow.done).toMatchObject([{ code: 100016 }])
      const request = await slow.answer('property')
      expect(request?.params).toEqual({ power: true })
      await expect.poll(() => slow.done.length).toBe(2)
      expect(await historyOf(lamp)).toMatchObject([{ state: 2, code: 200 }])
    } finally {
      await slow.close()
    }
  })

  test('because the server stops is told so, and the command goes on waiting', async () => {
    const lamp = await makeLamp(world, productID)
    const called = server.call(sendProperty, { ...key(lamp), data: json({ power: true }) })
    await expect.poll(() => server.published.length).toBe(1)
    server.deps.pending.close()
    const answer = await called
    expect(answer).toMatchObject({ status: 400, code: 100016 })
    expect(answer.msg).toContain('服务正在停止')
    expect(await historyOf(lamp)).toMatchObject([{ state: 1, code: 0 }])
  })

  test('a reply with an unknown token, or of another device, changes nothing', async () => {
    const lamp = await makeLamp(world, productID)
    const other = await makeLamp(world, productID)
    const { data } = await server.call(sendProperty, { ...key(lamp), data: json({ power: true }), isAsync: true })
    expect(server.reply(lamp.deviceID, { token: 'zz', kind: 'property' })).toBeUndefined()
    expect(server.reply(other.deviceID, { token: data.clientToken, kind: 'property' })).toBeUndefined()
    expect(await historyOf(lamp)).toMatchObject([{ state: 1 }])
  })
})

describe('an asynchronous call', () => {
  test('answers with its token at once; property-read tells the rest for ten minutes', async () => {
    const lamp = await makeLamp(world, productID)
    const { data } = await server.call(sendProperty, { ...key(lamp), data: json({ power: true }), isAsync: true })
    expect(data).toMatchObject({ code: 0, status: '' })
    expect(data.clientToken).toMatch(/^[0-9a-f]{32}$/)
    const ask = { ...key(lamp), clientToken: data.clientToken }
    expect(await server.call(readPropertyReply, ask)).toMatchObject({ status: 400, code: 100009 })
    await server.answer('property', { code: 200, msg: 'ok' })
    await expect.poll(() => server.done.length).toBe(1)
    expect(await server.call(readPropertyReply, ask)).toMatchObject({
      status: 200,
      data: { clientToken: data.clientToken, code: 200, status: 'ok' },
    })
    world.clock.advance(10 * 60_000)
    expect(await server.call(readPropertyReply, ask)).toMatchObject({ status: 400, code: 100009 })
  })

  test('that nobody answers becomes a time-out in the history', async () => {
    const slow = await openCommandsServer(world, { timeoutMs: 30 })
    try {
      const lamp = await makeLamp(world, productID)
      await slow.call(sendProperty, { ...key(lamp), data: json({ power: true }), isAsync: true })
      await expect.poll(() => slow.done.length).toBe(1)
      expect(await historyOf(lamp)).toMatchObject([{ state: 4 }])
    } finally {
      await slow.close()
    }
  })
})

describe('a command that cannot be sent', () => {
  test('because the broker refuses is a failure in history and hub log', async () => {
    const lamp = await makeLamp(world, productID)
    server.broker.refuses = true
    expect(await server.call(sendProperty, { ...key(lamp), data: json({ power: true }) })).toMatchObject({
      status: 500,
    })
    expect(await historyOf(lamp)).toMatchObject([{ state: 3, code: 100007 }])
    expect(server.entries).toMatchObject([{ up: false, code: 100007 }])
    expect(server.deps.pending.counts()).toMatchObject({ kept: 0, waiting: 0 })
  })

  test('goes through the script of its product to the custom topic, or says what the script said', async () => {
    const custom = await makeLampProduct(world)
    const transformScript = `function thingPropertyDown(json) {
      if (json.params.level === 100) throw new Error('too bright')
      return [1, json.params.power ? 255 : 0]
    }`
    await world.asAdmin(updateCustom, { productID: custom, transformScript })
    const lamp = await makeLamp(world, custom)
    const deviceID = await deviceIDOf(world, lamp)
    const { data } = await server.call(sendProperty, { ...key(lamp), data: json({ power: true }), isAsync: true })
    expect(server.published).toHaveLength(1)
    const { topic, payload } = server.published[0]!
    expect(topic).toBe(`$thing/down/property/custom/${custom}/${lamp.deviceName}`)
    expect([...(payload as Uint8Array)]).toEqual([1, 255])
    expect(server.entries).toMatchObject([{ topic, method: 'control' }])
    expect(server.reply(deviceID, { token: data.clientToken, kind: 'property' })).toBeDefined()

    const failed = await server.call(sendProperty, { ...key(lamp), data: json({ level: 100 }) })
    expect(failed).toMatchObject({ status: 400, code: 100023 })
    expect(failed.msg).toContain('too bright')
    expect(await historyOf(lamp)).toMatchObject([{ state: 3, code: 100023 }, {}])
  })
})
