import { type DeviceKey, deleteDevice } from '@ithings/contract/features/devices/info.ts'
import {
  bindSubDevices,
  listBindCandidates,
  listSubDevices,
  readGatewayOf,
  unbindSubDevices,
} from '@ithings/contract/features/gateways.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDevice, makeProduct } from '#features/devices/testing/make-devices.ts'
import { openWorld, type World } from '#testing/world.ts'

let world: World
let gatewayProduct: string
let childProduct: string
let plain: DeviceKey

beforeAll(async () => {
  world = await openWorld()
  gatewayProduct = await makeProduct(world, { deviceType: 2 })
  childProduct = await makeProduct(world, { deviceType: 3 })
  plain = await makeDevice(world, await makeProduct(world))
})
afterAll(() => world.close())

const asAdmin = () => ({ token: world.admin })
const names = (list: Array<{ deviceName: string }>) => list.map((device) => device.deviceName)

async function makeGateway() {
  const { deviceName } = await makeDevice(world, gatewayProduct)
  return { gateWayProductID: gatewayProduct, gateWaydeviceName: deviceName }
}
const makeChild = (deviceName?: string) => makeDevice(world, childProduct, deviceName ? { deviceName } : {})

describe('bind', () => {
  test('children are listed with all fields, binding again changes nothing', async () => {
    const gateway = await makeGateway()
    const list = [await makeChild(), await makeChild()]
    await world.asAdmin(bindSubDevices, { ...gateway, list })
    await world.asAdmin(bindSubDevices, { ...gateway, list: [...list, ...list] })
    const bound = await world.asAdmin(listSubDevices, gateway)
    expect(bound.total).toBe(2)
    expect(names(bound.list)).toEqual(names(list))
    // Consoles of the public platform take the one that is ticked by its secret.
    expect(new Set(bound.list.map(({ secret }) => secret)).size).toBe(2)
    expect(bound.list[0]).toMatchObject({ productID: childProduct, deviceType: 3, firstLogin: '0' })
  })

  test('only a gateway can bind: 100006', async () => {
    const body = { gateWayProductID: plain.productID, gateWaydeviceName: plain.deviceName, list: [await makeChild()] }
    expect(await world.call(bindSubDevices, body, asAdmin())).toMatchObject({
      status: 400,
      code: 100006,
      msg: '子设备只能由网关设备进行绑定',
    })
  })

  test('only sub-devices can be bound, and then none of the list is: 100006', async () => {
    const gateway = await makeGateway()
    const body = { ...gateway, list: [await makeChild(), plain] }
    expect(await world.call(bindSubDevices, body, asAdmin())).toMatchObject({
      status: 400,
      code: 100006,
      msg: '网关只能绑定子设备类型',
    })
    expect((await world.asAdmin(listSubDevices, gateway)).total).toBe(0)
  })

  test('unknown gateways and unknown children are named: 100009', async () => {
    const gateway = await makeGateway()
    const list = [
      await makeChild(),
      { productID: childProduct, deviceName: 'ghost1' },
      { productID: childProduct, deviceName: 'ghost2' },
    ]
    const refused = await world.call(bindSubDevices, { ...gateway, list }, asAdmin())
    expect(refused).toMatchObject({ status: 400, code: 100009 })
    expect(refused.msg).toMatch(/ghost1.*ghost2/)
    const nowhere = { ...gateway, gateWaydeviceName: 'ghost', list: [await makeChild()] }
    expect(await world.call(bindSubDevices, nowhere, asAdmin())).toMatchObject({ code: 100009 })
  })

  test('a child of another gateway is refused until it is unbound there', async () => {
    const [first, second] = [await makeGateway(), await makeGateway()]
    const [child, free] = [await makeChild(), await makeChild()]
    await world.asAdmin(bindSubDevices, { ...first, list: [child] })
    const refused = await world.call(bindSubDevices, { ...second, list: [free, child] }, asAdmin())
    expect(refused).toMatchObject({ status: 400, code: 100006, msg: expect.stringContaining(first.gateWaydeviceName) })
    expect((await world.asAdmin(listSubDevices, second)).total).toBe(0)
    await world.asAdmin(unbindSubDevices, { ...first, list: [child] })
    await world.asAdmin(bindSubDevices, { ...second, list: [free, child] })
    expect((await world.asAdmin(listSubDevices, second)).total).toBe(2)
  })

  test('two gateways that take the same child at once: one gets it', async () => {
    const [first, second] = [await makeGateway(), await makeGateway()]
    const list = [await makeChild(), await makeChild()]
    const answers = await Promise.all(
      [first, second].map((one) => world.call(bindSubDevices, { ...one, list }, asAdmin())),
    )
    expect(answers.map((answer) => answer.code).sort((a, b) => a - b)).toEqual([200, 100006])
  })
})

describe('unbind', () => {
  test('what is not bound there is left alone', async () => {
    const gateway = await makeGateway()
    const [bound, other] = [await makeChild(), await makeChild()]
    await world.asAdmin(bindSubDevices, { ...gateway, list: [bound] })
    await world.asAdmin(unbindSubDevices, {
      ...gateway,
      list: [other, { productID: childProduct, deviceName: 'ghost' }],
    })
    expect((await world.asAdmin(listSubDevices, gateway)).total).toBe(1)
    await world.asAdmin(unbindSubDevices, { ...gateway, list: [bound, other] })
    expect((await world.asAdmin(listSubDevices, gateway)).total).toBe(0)
  })

  test('a deleted gateway sets its children free', async () => {
    const gateway = await makeGateway()
    const child = await makeChild()
    await world.asAdmin(bindSubDevices, { ...gateway, list: [child] })
    await world.asAdmin(deleteDevice, { productID: gatewayProduct, deviceName: gateway.gateWaydeviceName })
    expect(await world.asAdmin(readGatewayOf, child)).toEqual({ gateway: null })
  })
})

describe('lists', () => {
  test('sub-devices are found by name, sorted and paged', async () => {
    const gateway = await makeGateway()
    const list = [await makeChild('zz-valve'), await makeChild('aa-pump'), await makeChild('mm-pump')]
    await world.asAdmin(bindSubDevices, { ...gateway, list })
    const found = await world.asAdmin(listSubDevices, { ...gateway, deviceName: 'PUMP' })
    expect(names(found.list)).toEqual(['aa-pump', 'mm-pump'])
    const page = { page: 1, size: 2, orders: [{ field: 'deviceName', sort: 2 }] }
    const sorted = await world.asAdmin(listSubDevices, { ...gateway, page })
    expect([names(sorted.list), sorted.total]).toEqual([['zz-valve', 'mm-pump'], 3])
  })

  test('candidates are the sub-devices that no gateway has', async () => {
    const product = await makeProduct(world, { deviceType: 3 })
    const gateway = await makeGateway()
    const children = [
      await makeDevice(world, product),
      await makeDevice(world, product),
      await makeDevice(world, product),
    ]
    await world.asAdmin(bindSubDevices, { ...gateway, list: children.slice(0, 1) })
    const free = await world.asAdmin(listBindCandidates, { productID: product })
    expect([free.total, names(free.list)]).toEqual([2, names(children.slice(1)).reverse()])
    const one = await world.asAdmin(listBindCandidates, {
      productID: product,
      deviceName: children[2]?.deviceName ?? '',
    })
    expect([one.total, names(one.list)]).toEqual([1, names(children.slice(2))])
    const paged = await world.asAdmin(listBindCandidates, { productID: product, page: { page: 2, size: 1 } })
    expect([paged.total, names(paged.list)]).toEqual([2, names(children.slice(1, 2))])
    expect((await world.asAdmin(listBindCandidates, { productID: gatewayProduct })).total).toBe(0)
    const everywhere = await world.asAdmin(listBindCandidates, {})
    expect(everywhere.list.every((device) => device.deviceType === 3)).toBe(true)
  })

  test('the gateway of a child', async () => {
    const gateway = await makeGateway()
    const child = await makeChild()
    expect(await world.asAdmin(readGatewayOf, child)).toEqual({ gateway: null })
    await world.asAdmin(bindSubDevices, { ...gateway, list: [child] })
    const { gateway: found } = await world.asAdmin(readGatewayOf, child)
    expect(found).toMatchObject({ deviceName: gateway.gateWaydeviceName, deviceType: 2 })
    const ghost = { productID: childProduct, deviceName: 'ghost' }
    expect(await world.call(readGatewayOf, ghost, asAdmin())).toMatchObject({ status: 400, code: 100009 })
  })
})
