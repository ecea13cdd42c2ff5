import {
  getPropertyReply,
  listCommands,
  maxMultiSend,
  multiSendProperty,
  readActionReply,
  readPropertyReply,
  sendAction,
  sendMessage,
} from '@ithings/contract/features/commands.ts'
import { addGroupDevices, createGroup } from '@ithings/contract/features/groups.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Sealed } from '#db/sealed-column.ts'
import { uniqueText } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'
import { type CommandsServer, makeLamp, makeLampProduct, openCommandsServer } from './testing/commands-server.ts'

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

describe('an action', () => {
  const blink = { actionID: 'blink', inputParams: json({ times: '3' }) }

  test('is called with inputs of the model; its outputs come back as JSON text', async () => {
    const lamp = await makeLamp(world, productID)
    const called = server.call(sendAction, { ...key(lamp), ...blink })
    const request = await server.answer('action', { data: { done: true } })
    expect(request).toMatchObject({ kind: 'action', target: 'blink' })
    const { topic, message } = server.published[0]!
    expect(topic).toBe(`$thing/down/action/${productID}/${lamp.deviceName}`)
    expect(message).toMatchObject({ method: 'action', actionID: 'blink', params: { times: 3 } })
    expect((await called).data).toMatchObject({ code: 200, status: '成功', outputParams: '{"done":true}' })
    expect(await historyOf(lamp)).toMatchObject([
      { kind: 2, target: 'blink', payload: '{"times":3}', state: 2, reply: '{"done":true}' },
    ])
    expect(server.entries).toMatchObject([{ kind: 5, dataID: 'blink' }])
  })

  test('without outputs answers an empty object', async () => {
    const lamp = await makeLamp(world, productID)
    const called = server.call(sendAction, { ...key(lamp), ...blink })
    await server.answer('action')
    expect((await called).data.outputParams).toBe('{}')
  })

  test('can be asked for later: action-read, by its token, not as a property', async () => {
    const lamp = await makeLamp(world, productID)
    const { data } = await server.call(sendAction, { ...key(lamp), ...blink, isAsync: true })
    const ask = { ...key(lamp), clientToken: data.clientToken }
    expect((await server.call(readActionReply, ask)).data).toMatchObject({
      code: 0,
      msg: '设备尚未回复',
      outputParams: '',
    })
    await server.answer('action', { code: 500, msg: '坏了', data: { done: false } })
    await expect.poll(() => server.done.length).toBe(1)
    expect((await server.call(readActionReply, ask)).data).toEqual({
      clientToken: data.clientToken,
      code: 500,
      status: '坏了',
      msg: '坏了',
      outputParams: '{"done":false}',
    })
    expect(await server.call(readPropertyReply, ask)).toMatchObject({ status: 400, code: 100009 })
  })

  test.each([
    ['that the model does not know', { actionID: 'jump', inputParams: '{}' }, 100006, /行为 jump/],
    ['that only devices call', { actionID: 'help', inputParams: '{}' }, 100006, /由设备调用/],
    ['without a declared input', { actionID: 'blink', inputParams: '{}' }, 100006, /缺少参数 times/],
    ['with an input out of range', { actionID: 'blink', inputParams: '{"times":10}' }, 100015, /1–9/],
    ['with inputs that are no object', { actionID: 'blink', inputParams: '[]' }, 100006, /inputParams/],
  ])('%s is refused', async (_, body, code, text) => {
    const lamp = await makeLamp(world, productID)
    const answer = await server.call(sendAction, { ...key(lamp), ...body })
    expect(answer).toMatchObject({ status: 400, code })
    expect(answer.msg).toMatch(text)
    expect(server.published).toEqual([])
  })

  test('of a device that is offline: 2000003', async () => {
    const lamp = await makeLamp(world, productID, false)
    expect(await server.call(sendAction, { ...key(lamp), ...blink })).toMatchObject({ status: 400, code: 2000003 })
    expect(await historyOf(lamp)).toMatchObject([{ kind: 2, state: 3, code: 2000003 }])
  })
})

describe('asking for values now', () => {
  test('the device answers with what it has', async () => {
    const lamp = await makeLamp(world, productID)
    const called = server.call(getPropertyReply, { ...key(lamp), dataIDs: ['temp', 'power'] })
    await server.answer('get', { data: { temp: 21.5, power: true } })
    expect(server.published[0]).toMatchObject({
      topic: `$thing/down/property/${productID}/${lamp.deviceName}`,
      message: { method: 'getReport', identifiers: ['temp', 'power'] },
    })
    const { data } = await called
    expect(data).toMatchObject({ code: 200, params: '{"temp":21.5,"power":true}' })
    expect(data.timestamp).toBeGreaterThan(1_700_000_000_000)
    expect(await historyOf(lamp)).toMatchObject([{ kind: 3, payload: '["temp","power"]', state: 2 }])
  })

  test.each([[undefined], [[]], [null]])('of all properties when none is named: %j', async (dataIDs) => {
    const lamp = await makeLamp(world, productID)
    const called = server.call(getPropertyReply, { ...key(lamp), dataIDs })
    await server.answer('get')
    expect((await called).data.params).toBe('{}')
    expect(server.published[0]?.message).not.toHaveProperty('identifiers')
  })

  test('of a property that the model does not know: 100006', async () => {
    const lamp = await makeLamp(world, productID)
    const answer = await server.call(getPropertyReply, { ...key(lamp), dataIDs: ['colour'] })
    expect(answer).toMatchObject({ status: 400, code: 100006 })
  })
})

describe('many devices at once', () => {
  test('each has its own answer: done, failed, offline, into the shadow, unknown', async () => {
    const good = await makeLamp(world, productID)
    const bad = await makeLamp(world, productID)
    const away = await makeLamp(world, productID, false)
    const deviceNames = [good, bad, away].map((lamp) => lamp.deviceName)
    const called = server.call(multiSendProperty, {
      data: json({ level: 50 }),
      productID,
      deviceNames: [...deviceNames, 'ghost', good.deviceName],
    })
    await expect.poll(() => server.published.length).toBe(2)
    for (const { message, topic } of server.published) {
      const lamp = topic.endsWith(good.deviceName) ? good : bad
      const code = lamp === good ? 200 : 5
      server.reply(lamp.deviceID, { token: String(message.clientToken), kind: 'property', code, msg: `c${code}` })
    }
    const { data } = await called
    expect(data.list).toMatchObject([
      { deviceName: good.deviceName, code: 200, viaShadow: false, sysCode: 200, sysMsg: '成功' },
      { deviceName: bad.deviceName, code: 5, status: 'c5', sysCode: 200 },
      { deviceName: away.deviceName, code: 200, viaShadow: true, sysCode: 200 },
      { deviceName: 'ghost', code: 0, clientToken: '', sysCode: 100009 },
    ])
    expect(await historyOf(away)).toMatchObject([{ viaShadow: true }])
  })

  test('time-outs run side by side and keep their tokens', async () => {
    const slow = await openCommandsServer(world, { timeoutMs: 200 })
    try {
      const lamps = [await makeLamp(world, productID), await makeLamp(world, productID)]
      const body = { data: json({ power: true }), productID, deviceNames: lamps.map((lamp) => lamp.deviceName) }
      const { data } = await slow.call(multiSendProperty, body)
      expect(data.list).toMatchObject([{ sysCode: 100016 }, { sysCode: 100016 }])
      expect(data.list.every((row) => /^[0-9a-f]{32}$/.test(row.clientToken))).toBe(true)
    } finally {
      await slow.close()
    }
  })

  test('a group reaches its members; those whose model does not fit say so', async () => {
    const lamp = await makeLamp(world, productID, false)
    const { groupID } = await world.asAdmin(createGroup, { groupName: uniqueText('路灯') })
    const stranger = await makeLamp(world, await makeLampProduct(world), false)
    await world.asAdmin(addGroupDevices, { groupID: Number(groupID), list: [key(lamp), key(stranger)] })
    const everybody = await server.call(multiSendProperty, { data: json({ power: true }), groupID, shadowControl: 2 })
    expect(everybody.data.list.map((row) => row.sysCode)).toEqual([200, 200])
    const some = await server.call(multiSendProperty, { data: json({ hue: 1 }), groupID, productID, shadowControl: 2 })
    expect(some.data.list).toMatchObject([{ deviceName: lamp.deviceName, sysCode: 100006 }])
    expect(some.data.list[0]?.sysMsg).toContain('hue 未启用设备影子')
  })

  test.each([
    ['no devices', {}, 100006],
    ['names without a product', { deviceNames: ['a'] }, 100006],
    ['an unknown group', { groupID: 999_999 }, 100009],
    ['an area, which only the enterprise edition has', { areaID: '7' }, 100022],
    ['too many names', { deviceNames: Array.from({ length: maxMultiSend + 1 }, (_, i) => `d${i}`) }, 100006],
  ])('%s: refused as a whole', async (_, body, code) => {
    const answer = await server.call(multiSendProperty, { data: json({ power: true }), ...body })
    expect(answer).toMatchObject({ status: 400, code })
  })

  test('hundreds are sent to before the first one answers, and answered in the order of the list', async () => {
    const many = await makeLampProduct(world)
    const names = Array.from({ length: 300 }, (_, i) => `m${i}`)
    await world.db
      .insertInto('device')
      .values(
        names.map((device_name) => ({
          product_id: many,
          device_name,
          secret: 'x' as Sealed,
          phone: null,
          iccid: null,
          is_online: 1,
          first_login: new Date(),
          last_login: null,
        })),
      )
      .execute()
    const called = server.call(multiSendProperty, { data: json({ power: true }), productID: many, deviceNames: names })
    await expect.poll(() => server.published.length).toBe(300)
    for (let i = 0; i < 300; i++) await server.answer('property', {}, i)
    const { data } = await called
    expect(data.list.map((row) => row.deviceName)).toEqual(names)
    expect(data.list.every((row) => row.code === 200)).toBe(true)
  })
})

describe('a message by hand', () => {
  const topicOf = (lamp: { deviceName: string }, type = 'property') =>
    `$thing/down/${type}/${productID}/${lamp.deviceName}`

  test('goes to the topic as it is written and stands in history and hub log', async () => {
    const lamp = await makeLamp(world, productID)
    const topic = topicOf(lamp, 'event')
    expect(await server.call(sendMessage, { topic, payload: '不是 JSON' })).toMatchObject({ status: 200, code: 200 })
    expect(server.published).toMatchObject([{ topic, payload: '不是 JSON' }])
    expect(await historyOf(lamp)).toMatchObject([
      { kind: 4, target: topic, payload: '不是 JSON', state: 2, status: '已发送', userName: 'operator' },
    ])
    expect(server.entries).toMatchObject([{ up: false, kind: 4, topic, content: '"不是 JSON"', method: '', token: '' }])
  })

  test('that is a request is paired with its reply by its own token, as often as it is sent', async () => {
    const lamp = await makeLamp(world, productID)
    const payload = json({ method: 'control', clientToken: 'mine', params: { power: 1 } })
    for (const _ of [1, 2]) await server.call(sendMessage, { topic: topicOf(lamp), payload })
    expect(server.entries).toMatchObject([{ method: 'control', token: 'mine' }, { token: 'mine' }])
    const request = server.reply(lamp.deviceID, { token: 'mine', kind: 'property', code: 200, data: { ok: 1 } })
    // What a yes makes true is measured by the model.
    expect(request?.params).toEqual({ power: true })
    await expect.poll(async () => (await historyOf(lamp))[0]?.reply).toBe('{"ok":1}')
    expect(server.reply(lamp.deviceID, { token: 'mine', kind: 'property' })).toBeUndefined()
  })

  test('whose values the model refuses is sent but answers nothing: no report may come from it', async () => {
    const lamp = await makeLamp(world, productID)
    const payload = json({ method: 'control', clientToken: 'wild', params: { temp: 99 } })
    expect(await server.call(sendMessage, { topic: topicOf(lamp), payload })).toMatchObject({ code: 200 })
    expect(server.reply(lamp.deviceID, { token: 'wild', kind: 'property' })).toBeUndefined()
  })

  test.each([
    ['an up topic', (name: string) => `$thing/up/property/${productID}/${name}`, 100006, /下行/],
    ['no topic of the platform', (name: string) => `${productID}/${name}/x`, 100006, /主题/],
    ['a wildcard', (name: string) => `$thing/down/+/${productID}/${name}`, 100006, /通配符/],
    ['a control character', (name: string) => `$thing/down/a\0/${productID}/${name}`, 100006, /不能保存/],
    ['an unknown device', () => `$thing/down/property/${productID}/ghost`, 100009, /ghost/],
  ])('to %s is refused', async (_, topic, code, text) => {
    const lamp = await makeLamp(world, productID)
    const answer = await server.call(sendMessage, { topic: topic(lamp.deviceName), payload: '{}' })
    expect(answer).toMatchObject({ status: 400, code })
    expect(answer.msg).toMatch(text)
  })

  test('to a device that is offline: 2000003, in the history too', async () => {
    const lamp = await makeLamp(world, productID, false)
    const answer = await server.call(sendMessage, { topic: topicOf(lamp), payload: '{}' })
    expect(answer).toMatchObject({ status: 400, code: 2000003 })
    expect(await historyOf(lamp)).toMatchObject([{ kind: 4, state: 3, code: 2000003 }])
    expect(server.published).toEqual([])
  })
})
