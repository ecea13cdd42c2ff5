import { maxSimulated, simulateDevices } from '@ithings/contract/features/devices/bulk.ts'
import { readDevice } from '@ithings/contract/features/devices/info.ts'
import { listLatest } from '@ithings/contract/features/history.ts'
import { importTsl } from '@ithings/contract/features/thing-model.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sealed } from '#db/sealed-column.ts'
import { openWorld, type World } from '#testing/world.ts'
import { makeDevice, makeProduct } from './testing/make-devices.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const tsl = JSON.stringify({
  properties: [
    { identifier: 'level', name: '液位', mode: 'r', define: { type: 'float', min: '0', max: '6', step: '0.01' } },
  ],
})
const soon = <T>(read: () => Promise<T>) => expect.poll(read, { interval: 100 })

test('a simulated device connects, reports by its model, and goes when it is switched off', async () => {
  const productID = await makeProduct(world)
  await world.asAdmin(importTsl, { productID, tsl })
  const key = await makeDevice(world, productID)
  const list = [{ productID: key.productID, deviceName: key.deviceName }]
  expect(await world.asAdmin(simulateDevices, { list, on: true })).toEqual({ total: 1, success: 1, failed: [] })
  const read = () => world.asAdmin(readDevice, key)
  await soon(read).toMatchObject({ isOnline: 1, isSimulated: 1 })
  const level = async () => Number((await world.asAdmin(listLatest, key)).list[0]?.value || -1)
  await soon(level).toBeGreaterThanOrEqual(0)
  expect(await level()).toBeLessThanOrEqual(6)

  await world.asAdmin(simulateDevices, { list, on: false })
  await soon(read).toMatchObject({ isOnline: 2, isSimulated: 2 })
})

test('sub-devices and unknown devices are named, the others are simulated', async () => {
  const child = await makeDevice(world, await makeProduct(world, { deviceType: 3 }))
  const plain = await makeDevice(world, await makeProduct(world))
  const list = [child, plain, { productID: plain.productID, deviceName: 'nobody' }]
  const result = await world.asAdmin(simulateDevices, { list, on: true })
  expect(result).toMatchObject({ success: 1 })
  expect(result.failed.map(({ deviceName, code }) => [deviceName, code])).toEqual(
    expect.arrayContaining([
      [child.deviceName, 100006],
      ['nobody', 100009],
    ]),
  )
  expect(await world.asAdmin(readDevice, plain)).toMatchObject({ isSimulated: 1 })
  expect(await world.asAdmin(readDevice, child)).toMatchObject({ isSimulated: 2 })
})

test('more than a server can play are refused with the number that runs', async () => {
  const productID = await makeProduct(world)
  const names = Array.from({ length: maxSimulated }, (_, i) => `many${i}`)
  await world.db
    .insertInto('device')
    .values(names.map((name) => ({ product_id: productID, device_name: name, secret: 'x' as Sealed, is_enable: 2 })))
    .execute()
  const list = names.map((deviceName) => ({ productID, deviceName }))
  expect(await world.call(simulateDevices, { list, on: true }, { token: world.admin })).toMatchObject({
    status: 400,
    code: 900003,
    msg: expect.stringContaining(`最多同时模拟 ${maxSimulated} 台设备`),
  })
})
