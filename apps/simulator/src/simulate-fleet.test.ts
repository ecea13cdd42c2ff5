import { afterEach, expect, test } from 'vitest'
import { type Fleet, simulateFleet } from './simulate-fleet.ts'
import { lampModel, openPlatform, type Platform, secret } from './testing/platform.ts'

let platform: Platform
let fleet: Fleet
afterEach(async () => {
  await fleet.stop()
  await platform.close()
})

test('a fleet connects at its pace, reports, and says goodbye', async () => {
  platform = await openPlatform()
  const model = lampModel()
  const members = Array.from({ length: 60 }, (_, i) => ({
    url: platform.url,
    device: { productID: '254pwnKQsvK', deviceName: `d${i}`, secret },
    model,
    options: { intervalMs: 50, eventEveryMs: 0 },
  }))
  fleet = simulateFleet({ members, connectsPerSecond: 300 })
  expect(fleet.devices.length).toBeLessThan(60)
  await expect.poll(() => fleet.connected).toBe(60)
  await expect
    .poll(() => new Set(platform.on('thing/property', 'report').map(({ clientID }) => clientID)).size)
    .toBe(60)
  expect(fleet.counts()).toMatchObject({ connects: 60, skipped: 0 })
  await fleet.stop()
  expect(fleet.connected).toBe(0)
  await expect.poll(() => platform.goodbyes.length).toBe(60)
})
