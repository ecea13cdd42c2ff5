/** Two servers on one database: nothing is counted twice, and nothing is lost when one of them stops. */
import { readHomeSummary } from '@ithings/contract/features/home.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { connectDevice } from '#testing/mqtt-device.ts'
import { openWorld, type World } from '#testing/world.ts'
import { makeFullProduct } from '#uplink/testing/full-product.ts'

let first: World
let second: World

beforeAll(async () => {
  first = await openWorld({ config: { databaseUrl: 'given' } })
  second = await openWorld({ databaseUrl: first.url, config: { databaseUrl: 'given' } })
})
afterAll(() => first.close())

test('messages of both servers add up, also those that one had not written when it stopped', async () => {
  const productID = await makeFullProduct(first)
  const here = await connectDevice(first, await makeDevice(first, productID))
  const there = await connectDevice(second, await makeDevice(first, productID))
  for (let n = 0; n < 5; n++) {
    await here.ask('thing/property', { method: 'report', params: { temp: n } })
    await there.ask('thing/property', { method: 'report', params: { temp: n } })
  }
  await there.ask('thing/property', { method: 'report', params: { temp: 50 } })
  await there.end()
  await second.close()
  const today = async () => (await first.asAdmin(readHomeSummary)).messages
  await expect.poll(async () => (await today()).today).toBe(11)
  expect((await today()).perSecond).toBeGreaterThan(0)
  // One sample a minute for both.
  const samples = await first.db.selectFrom('home_sample').select('at').execute()
  expect(samples.length).toBeGreaterThan(0)
  expect(samples.every(({ at }) => at % 60_000 === 0)).toBe(true)
  await here.end()
})
