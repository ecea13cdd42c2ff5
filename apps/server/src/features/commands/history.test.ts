import { listCommands, sendProperty } from '@ithings/contract/features/commands.ts'
import { kept } from '@ithings/contract/text.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { activate, makeDevice } from '#features/devices/testing/make-devices.ts'
import { makeTestBackground } from '#testing/background.ts'
import { openWorld, type World } from '#testing/world.ts'
import { sendActionTo, sendPropertyTo } from './door.ts'
import { dropOldCommands, reopenUnanswered, startCommandSweep, timeOutForgotten } from './housekeeping.ts'
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
const list = async (filter: object) => (await server.call(listCommands, filter)).data
const ask = async (lamp: { productID: string; deviceName: string }, values: object = { power: true }) =>
  (await server.call(sendProperty, { ...key(lamp), data: json(values), isAsync: true })).data.clientToken

describe('the list', () => {
  test('is newest first, by pages, with the true total', async () => {
    const lamp = await makeLamp(world, productID)
    for (const level of [5, 10, 15]) await ask(lamp, { level })
    const page = await list({ ...key(lamp), page: { page: 1, size: 2 } })
    expect(page.total).toBe(3)
    expect(page.list.map((row) => row.payload)).toEqual(['{"level":15}', '{"level":10}'])
    const old = await list({ ...key(lamp), page: { page: 1, size: 1, orders: [{ field: 'sentTime', sort: 1 }] } })
    expect(old.list.map((row) => row.payload)).toEqual(['{"level":5}'])
    const refused = await server.call(listCommands, { page: { orders: [{ field: 'secret', sort: 1 }] } })
    expect(refused).toMatchObject({ status: 400, code: 100006 })
  })

  test('of one device does not show those whose name begins alike', async () => {
    await makeDevice(world, productID, { deviceName: 'hall1' })
    await makeDevice(world, productID, { deviceName: 'hall10' })
    for (const deviceName of ['hall1', 'hall10']) {
      await activate(world, { productID, deviceName }, true)
      await ask({ productID, deviceName })
    }
    expect((await list({ productID, deviceName: 'hall1' })).list.map((row) => row.deviceName)).toEqual(['hall1'])
  })

  test('is filtered by state, kind, token and time', async () => {
    const lamp = await makeLamp(world, productID)
    const first = await ask(lamp)
    await server.answer('property')
    await expect.poll(() => server.done.length).toBe(1)
    world.clock.advance(1_000)
    const second = await ask(lamp)
    await server.answer('property', { code: 7 }, 1)
    await expect.poll(() => server.done.length).toBe(2)
    world.clock.advance(1_000)
    const third = await ask(lamp)
    const tokens = async (filter: object) =>
      (await list({ ...key(lamp), ...filter })).list.map((row) => row.clientToken)
    expect(await tokens({ state: 1 })).toEqual([third])
    expect(await tokens({ state: 2 })).toEqual([first])
    expect(await tokens({ state: 3 })).toEqual([second])
    expect(await tokens({ state: 4 })).toEqual([])
    expect(await tokens({ kind: 1 })).toHaveLength(3)
    expect(await tokens({ kind: 2 })).toEqual([])
    expect(await tokens({ clientToken: second })).toEqual([second])
    const sent = Number((await list({ clientToken: second })).list[0]?.sentTime)
    expect(await tokens({ timeStart: sent, timeEnd: sent + 1 })).toEqual([second])
    expect(await tokens({ timeStart: sent + 1 })).toEqual([third])
    expect(await tokens({ timeEnd: sent })).toEqual([first])
  })
})

describe('after a restart', () => {
  test('commands that waited become time-outs, those of this moment are left to their server', async () => {
    const lamp = await makeLamp(world, productID)
    const lost = await ask(lamp)
    world.clock.advance(60_000)
    const fresh = await ask(lamp)
    const next = await openCommandsServer(world)
    try {
      await timeOutForgotten(next.deps)
      const { list: rows } = await list(key(lamp))
      expect(rows).toMatchObject([
        { clientToken: fresh, state: 1 },
        { clientToken: lost, state: 4, code: 100016, latency: 30_000 },
      ])
      const ended = next.done.map((event) => event.clientToken)
      expect(ended).toContain(lost)
      expect(ended).not.toContain(fresh)
    } finally {
      await next.close()
    }
  })

  test('a server whose clock is 20 s ahead leaves commands that others still wait for', async () => {
    const lamp = await makeLamp(world, productID)
    await ask(lamp)
    world.clock.advance(server.deps.timeoutMs + 20_000)
    await timeOutForgotten(server.deps)
    expect((await list(key(lamp))).list).toMatchObject([{ state: 1 }])
  })

  test('the sweep runs at once and ends when it is told to', async () => {
    const lamp = await makeLamp(world, productID)
    await ask(lamp)
    world.clock.advance(60_000)
    const stop = startCommandSweep(server.deps, makeTestBackground(world.clock))
    await stop()
    expect((await list(key(lamp))).list).toMatchObject([{ state: 4 }])
  })

  test('a device may still answer what was asked before, for ten minutes', async () => {
    const lamp = await makeLamp(world, productID)
    const deviceID = await deviceIDOf(world, lamp)
    const old = await ask(lamp)
    world.clock.advance(9.5 * 60_000)
    const lost = await ask(lamp, { level: 40 })
    world.clock.advance(60_000)
    const next = await openCommandsServer(world)
    try {
      await timeOutForgotten(next.deps)
      await reopenUnanswered(next.deps)
      expect(next.reply(deviceID, { token: old, kind: 'property' })).toBeUndefined()
      expect(next.reply(deviceID, { token: lost, kind: 'property' })?.params).toEqual({ level: 40 })
      await expect.poll(async () => (await list({ clientToken: lost })).list[0]?.state).toBe(2)
      expect((await list({ clientToken: lost })).list[0]?.latency).toBeGreaterThanOrEqual(60_000)
      await reopenUnanswered(next.deps)
      expect(next.reply(deviceID, { token: lost, kind: 'property' })).toBeUndefined()
    } finally {
      await next.close()
    }
  })
})

test('scenes and tasks send by the same way and are named in the history', async () => {
  const lamp = await makeLamp(world, productID)
  const switched = sendPropertyTo(server.deps, key(lamp), { power: 1 }, { source: 'scene', userName: '夜间模式' })
  await server.answer('property')
  expect(await switched).toMatchObject({ code: 200, status: kept('成功') })
  const blinked = sendActionTo(server.deps, key(lamp), { actionID: 'blink', inputs: { times: 1 } }, { source: 'task' })
  await server.answer('action', { data: { done: true } }, 1)
  expect(await blinked).toMatchObject({ code: 200, outputParams: '{"done":true}' })
  expect((await list(key(lamp))).list).toMatchObject([
    { kind: 2, source: 'task', userName: '' },
    { kind: 1, source: 'scene', userName: '夜间模式' },
  ])
  const away = await makeLamp(world, productID, false)
  await expect(sendPropertyTo(server.deps, key(away), { hue: 1 })).rejects.toMatchObject({ code: 2000003 })
})

test('a reply with text that the database cannot hold is kept all the same', async () => {
  const lamp = await makeLamp(world, productID)
  const token = await ask(lamp)
  await server.answer('property', { code: 8, msg: 'a\0b', data: { text: 'x\0y\ud800' } })
  await expect.poll(async () => (await list({ clientToken: token })).list[0]?.state).toBe(3)
  expect((await list({ clientToken: token })).list[0]).toMatchObject({
    status: 'a\ufffdb',
    reply: json({ text: 'x\ufffdy\ufffd' }),
  })
})

test('old commands go after ninety days', async () => {
  const lamp = await makeLamp(world, productID)
  await ask(lamp)
  expect(await dropOldCommands(world.db, world.clock)).toBe(0)
  world.clock.advance(91 * 86_400_000)
  expect(await dropOldCommands(world.db, world.clock)).toBeGreaterThan(0)
  expect((await list(key(lamp))).total).toBe(0)
})
