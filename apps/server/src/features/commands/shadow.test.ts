import {
  deleteShadow,
  listCommands,
  listShadow,
  readPropertyReply,
  sendProperty,
} from '@ithings/contract/features/commands.ts'
import { deleteDevice } from '@ithings/contract/features/devices/info.ts'
import { importTsl } from '@ithings/contract/features/thing-model.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { activate } from '#features/devices/testing/make-devices.ts'
import { openWorld, type World } from '#testing/world.ts'
import { takeDesired } from './shadow.ts'
import {
  type CommandsServer,
  lampModel,
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
type Lamp = Awaited<ReturnType<typeof makeLamp>>
const key = ({ productID, deviceName }: Lamp) => ({ productID, deviceName })
const want = (lamp: Lamp, values: object, shadowControl = 0) =>
  server.call(sendProperty, { ...key(lamp), data: json(values), shadowControl })
const shadowOf = async (lamp: Lamp) => (await server.call(listShadow, { ...key(lamp), dataIDs: [] })).data.list

describe('desired values', () => {
  test('of a device that is offline are kept, with who set them and when', async () => {
    const lamp = await makeLamp(world, productID, false)
    const { data } = await want(lamp, { power: 1, level: 20, note: '你好' })
    // Said by the answer itself: whoever asked may believe that the device is there.
    expect(data).toMatchObject({ code: 200, status: expect.stringContaining('影子'), viaShadow: true })
    expect(await shadowOf(lamp)).toMatchObject([
      { dataID: 'level', value: '20', updatedDeviceTime: 0, userName: 'operator' },
      { dataID: 'note', value: '你好' },
      { dataID: 'power', value: 'true' },
    ])
    expect((await shadowOf(lamp))[0]?.setTime).toBeGreaterThan(1_700_000_000_000)
    expect(server.published).toEqual([])
    expect(server.shadows).toHaveLength(1)
    const history = await server.call(listCommands, key(lamp))
    expect(history.data.list).toMatchObject([{ viaShadow: true, state: 2, clientToken: data.clientToken }])
    expect(await server.call(readPropertyReply, { ...key(lamp), clientToken: data.clientToken })).toMatchObject({
      data: { code: 200, viaShadow: true },
    })
  })

  test('shadow only writes them for a device that is online, without sending', async () => {
    const lamp = await makeLamp(world, productID)
    expect(await want(lamp, { power: true }, 2)).toMatchObject({ code: 200, data: { viaShadow: true } })
    expect(server.published).toEqual([])
    expect(await shadowOf(lamp)).toHaveLength(1)
  })

  test('of a property without shadow are refused: 100006, and none of the others is kept', async () => {
    const lamp = await makeLamp(world, productID)
    const answer = await want(lamp, { power: true, hue: 1 }, 2)
    expect(answer).toMatchObject({ status: 400, code: 100006 })
    expect(answer.msg).toContain('hue 未启用设备影子')
    expect(await shadowOf(lamp)).toEqual([])
  })

  test('newer ones take the place of older ones', async () => {
    const lamp = await makeLamp(world, productID, false)
    await want(lamp, { level: 10, power: true })
    await want(lamp, { level: 90 })
    expect(await shadowOf(lamp)).toMatchObject([
      { dataID: 'level', value: '90' },
      { dataID: 'power', value: 'true' },
    ])
  })

  test('can be asked for and cleared by name or all together', async () => {
    const lamp = await makeLamp(world, productID, false)
    await want(lamp, { level: 10, power: true, note: 'x' })
    const one = await server.call(listShadow, { ...key(lamp), dataIDs: ['level', 'nothing'] })
    expect(one.data.list.map((row) => row.dataID)).toEqual(['level'])
    server.shadows.length = 0
    await server.call(deleteShadow, { ...key(lamp), dataIDs: ['level'] })
    expect((await shadowOf(lamp)).map((row) => row.dataID)).toEqual(['note', 'power'])
    await server.call(deleteShadow, key(lamp))
    expect(await shadowOf(lamp)).toEqual([])
    await server.call(deleteShadow, key(lamp))
    expect(server.shadows).toHaveLength(2)
    expect(await server.call(listShadow, { productID, deviceName: 'ghost' })).toMatchObject({ code: 100009 })
  })

  test('are overtaken by a live command that the device has carried out', async () => {
    const lamp = await makeLamp(world, productID, false)
    await want(lamp, { level: 10, power: true })
    await activate(world, lamp, true)
    const called = want(lamp, { level: 50 }, 1)
    await server.answer('property')
    await called
    expect((await shadowOf(lamp)).map((row) => row.dataID)).toEqual(['power'])
  })

  test('stay when the device refused the live command', async () => {
    const lamp = await makeLamp(world, productID, false)
    await want(lamp, { level: 10 })
    await activate(world, lamp, true)
    const called = want(lamp, { level: 50 }, 1)
    await server.answer('property', { code: 9 })
    await called
    expect(await shadowOf(lamp)).toMatchObject([{ value: '10', updatedDeviceTime: 0 }])
  })
})

describe('delivery', () => {
  test('the device gets what waits, once', async () => {
    const lamp = await makeLamp(world, productID, false)
    await want(lamp, { level: 20, power: true })
    const taken = await takeDesired(server.deps, lamp.deviceID)
    expect(taken.values).toEqual({ level: 20, power: true })
    server.shadows.length = 0
    await taken.delivered()
    expect(server.shadows).toMatchObject([{ device: { deviceName: lamp.deviceName, deviceID: lamp.deviceID } }])
    expect((await shadowOf(lamp)).every((row) => row.updatedDeviceTime > 1_700_000_000_000)).toBe(true)
    expect((await takeDesired(server.deps, lamp.deviceID)).values).toEqual({})
  })

  test('until it is said to be stored it waits: a crash in between loses nothing', async () => {
    const lamp = await makeLamp(world, productID, false)
    await want(lamp, { level: 20 })
    await takeDesired(server.deps, lamp.deviceID)
    expect((await takeDesired(server.deps, lamp.deviceID)).values).toEqual({ level: 20 })
  })

  test('a value that was changed meanwhile still waits', async () => {
    const lamp = await makeLamp(world, productID, false)
    await want(lamp, { level: 20, power: true })
    const taken = await takeDesired(server.deps, lamp.deviceID)
    world.clock.advance(1)
    await want(lamp, { level: 30 })
    await taken.delivered()
    expect((await takeDesired(server.deps, lamp.deviceID)).values).toEqual({ level: 30 })
  })

  test('only what the device asks for is delivered', async () => {
    const lamp = await makeLamp(world, productID, false)
    await want(lamp, { level: 20, power: true })
    const taken = await takeDesired(server.deps, lamp.deviceID, ['power', 'temp'])
    expect(taken.values).toEqual({ power: true })
    await taken.delivered()
    expect((await takeDesired(server.deps, lamp.deviceID)).values).toEqual({ level: 20 })
  })

  test('what the model no longer allows is not sent and stays to be seen', async () => {
    const own = await makeLampProduct(world)
    const lamp = await makeLamp(world, own, false)
    await want(lamp, { level: 90, power: true })
    const properties = lampModel.properties.map((property) =>
      property.identifier === 'level' ? { ...property, define: { ...property.define, max: '50' } } : property,
    )
    await world.asAdmin(importTsl, { productID: own, tsl: json({ ...lampModel, properties }) })
    const taken = await takeDesired(server.deps, lamp.deviceID)
    expect(taken.values).toEqual({ power: true })
    await taken.delivered()
    expect((await shadowOf(lamp)).find((row) => row.dataID === 'level')).toMatchObject({ updatedDeviceTime: 0 })
  })

  test('a property that lost its shadow or became read-only takes nothing, and its value stays to be cleared', async () => {
    const own = await makeLampProduct(world)
    const lamp = await makeLamp(world, own, false)
    await want(lamp, { level: 90, power: true, note: 'x' })
    const changes: Record<string, object> = { level: { mode: 'r' }, power: { isUseShadow: false } }
    const properties = lampModel.properties.map((property) => ({ ...property, ...changes[property.identifier] }))
    await world.asAdmin(importTsl, { productID: own, tsl: json({ ...lampModel, properties }) })
    expect((await takeDesired(server.deps, lamp.deviceID, ['level', 'power'])).values).toEqual({})
    const taken = await takeDesired(server.deps, lamp.deviceID)
    expect(taken.values).toEqual({ note: 'x' })
    await taken.delivered()
    expect(await shadowOf(lamp)).toMatchObject([
      { dataID: 'level', updatedDeviceTime: 0 },
      { dataID: 'note', updatedDeviceTime: expect.any(Number) },
      { dataID: 'power', updatedDeviceTime: 0 },
    ])
  })

  test('a device without desired values, or that is gone, has nothing waiting', async () => {
    const lamp = await makeLamp(world, productID, false)
    const taken = await takeDesired(server.deps, lamp.deviceID)
    expect(taken.values).toEqual({})
    await taken.delivered()
    expect((await takeDesired(server.deps, 999_999)).values).toEqual({})
  })
})

test('deleting a device takes its commands and its shadow with it', async () => {
  const lamp = await makeLamp(world, productID, false)
  await want(lamp, { power: true })
  const rows = async () => {
    const [commands, shadows] = await Promise.all(
      (['device_command', 'device_shadow'] as const).map((table) =>
        world.db.selectFrom(table).select('device_id').where('device_id', '=', lamp.deviceID).execute(),
      ),
    )
    return [commands?.length, shadows?.length]
  }
  expect(await rows()).toEqual([1, 1])
  await world.asAdmin(deleteDevice, key(lamp))
  expect(await rows()).toEqual([0, 0])
})
