/** Devices that come for the first time and tell about themselves: a server that has nothing to do with them asks nothing. */
import { readDevice, updateDevice } from '@ithings/contract/features/devices/info.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { type DeafProxy, openDeafProxy } from '#testing/deaf-proxy.ts'
import { connectDevice } from '#testing/mqtt-device.ts'
import { openWorld, type World } from '#testing/world.ts'
import { makeFullProduct } from './testing/full-product.ts'

const config = { databaseUrl: 'shared' }
/** Of the one statement that loads a device (devices/device-cache.ts). */
const loading = 'left join gateway_device b on b.device_id = d.device_id'

let one: World
let two: World
let proxy: DeafProxy
let loads = 0
beforeAll(async () => {
  one = await openWorld({ config })
  proxy = await openDeafProxy(one.url, (sent) => {
    loads += sent.split(loading).length - 1
  })
  two = await openWorld({ config, databaseUrl: proxy.url })
})
afterAll(async () => {
  await two.close()
  await proxy.close()
  await one.close()
})

test('of a hundred first connections with reportInfo the other server loads none', async () => {
  const productID = await makeFullProduct(one)
  const known = await makeDevice(one, productID)
  const there = await connectDevice(two, known)
  expect(loads).toBeGreaterThan(0)
  loads = 0
  for (let portion = 0; portion < 10; portion++) {
    const connects = Array.from({ length: 10 }, async () => {
      const key = await makeDevice(one, productID)
      const device = await connectDevice(one, key)
      await device.ask('thing/property', { method: 'reportInfo', params: { imei: 'i', version: '1.0' } })
      expect(await one.asAdmin(readDevice, key)).toMatchObject({ imei: 'i', version: '1.0' })
      await device.end()
    })
    await Promise.all(connects)
  }
  // Notices come in their order: when this one has had its effect, those before it were heard.
  await one.asAdmin(updateDevice, { ...known, isEnable: 2 })
  await there.closed
  expect(loads).toBe(1)
})
