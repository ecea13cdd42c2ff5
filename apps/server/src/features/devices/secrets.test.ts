/** Who sees secrets of devices and products, and how; their rotation is tested with real devices in uplink/. */
import type { Endpoint } from '@ithings/contract/endpoint.ts'
import { multiCreateDevices } from '@ithings/contract/features/devices/bulk.ts'
import { listDevices, readDevice, updateDevice } from '@ithings/contract/features/devices/info.ts'
import { readJob } from '@ithings/contract/features/jobs.ts'
import { listOperationLogs } from '@ithings/contract/features/logs.ts'
import { listProducts, readProduct, updateProduct } from '@ithings/contract/features/products.ts'
import {
  readDeviceSecret,
  readProductSecret,
  rotateDeviceSecret,
  rotateProductSecret,
} from '@ithings/contract/features/secrets.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dropOldSecrets } from '#db/secrets.ts'
import { makeRole, makeSignedIn } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'
import { makeDevice, makeProduct, untilJobEnds } from './testing/make-devices.ts'

let world: World
let key = { productID: '', deviceName: '' }
let secret = ''
let productSecret = ''
beforeAll(async () => {
  world = await openWorld()
  key = await makeDevice(world, await makeProduct(world))
  secret = (await world.asAdmin(readDeviceSecret, key)).secret
  productSecret = (await world.asAdmin(readProductSecret, key)).secret
})
afterAll(() => world.close())

const reading: Endpoint[] = [readDevice, listDevices, readProduct, listProducts]
async function who(...endpoints: Endpoint[]) {
  const { token } = await makeSignedIn(world, { role: await makeRole(world, endpoints) })
  return <E extends Endpoint>(endpoint: E, body: unknown = key) => world.call(endpoint, body, { token })
}

test('who may only read gets every answer as before, with empty secrets', async () => {
  const call = await who(...reading)
  const answers = [
    await call(readDevice),
    await call(readDevice, { ...key, withSecret: true }),
    await call(listDevices, {}),
    await call(readProduct),
    await call(listProducts, {}),
  ]
  expect(answers.map(({ code }) => code)).toEqual([200, 200, 200, 200, 200])
  expect(answers[0]?.data).toHaveProperty('secret', '')
  expect(answers[3]?.data).toHaveProperty('secret', '')
  const text = JSON.stringify(answers.map(({ body }) => body))
  expect(text).not.toContain(secret)
  expect(text).not.toContain(productSecret)
  for (const endpoint of [readDeviceSecret, readProductSecret, rotateDeviceSecret, rotateProductSecret]) {
    expect(await call(endpoint)).toMatchObject({ status: 403, code: 100012 })
  }
})

test('who may see secrets sees them in read, as existing consoles expect, unless he asks to leave them out', async () => {
  const call = await who(...reading, readDeviceSecret)
  expect((await call(readDevice)).data.secret).toBe(secret)
  expect((await call(readDevice, { ...key, withSecret: false })).data.secret).toBe('')
  expect((await call(listDevices, {})).data.list.map((one) => one.secret)).not.toContain(secret)
  // One right for devices, another one for products.
  expect((await call(readProduct)).data.secret).toBe('')
  const other = await who(...reading, readProductSecret)
  expect((await other(readProduct)).data.secret).toBe(productSecret)
  expect((await other(readProduct, { ...key, withSecret: false })).data.secret).toBe('')
  expect((await other(readDevice)).data.secret).toBe('')
})

test('a secret that an existing console sends back changes nothing', async () => {
  const call = await who(...reading, updateDevice, updateProduct)
  for (const sent of ['', '******', 'bmV3LXNlY3JldC1vZi1taW5l']) {
    const device = (await call(readDevice)).data
    expect((await call(updateDevice, { ...device, tags: [], secret: sent })).code).toBe(200)
    const product = (await call(readProduct)).data
    expect((await call(updateProduct, { ...product, tags: [], secret: sent })).code).toBe(200)
  }
  expect((await world.asAdmin(readDeviceSecret, key)).secret).toBe(secret)
  expect((await world.asAdmin(readProductSecret, key)).secret).toBe(productSecret)
})

test('the operation log keeps who looked at a secret or rotated one, not the secret', async () => {
  const one = await makeDevice(world, await makeProduct(world))
  const calls: Endpoint[] = [readDeviceSecret, rotateDeviceSecret, readProductSecret, rotateProductSecret]
  const call = await who(...calls)
  const shown: string[] = []
  for (const endpoint of calls) {
    const { data } = await call(endpoint, one)
    if ((data as { secret?: string }).secret) shown.push((data as { secret: string }).secret)
  }
  expect(shown).toHaveLength(2)
  const rows = async () => {
    const { list } = await world.asAdmin(listOperationLogs, { page: { page: 1, size: 500 } })
    return list.filter(({ req }) => req.includes(one.productID) && req.length < 200)
  }
  await expect
    .poll(async () => (await rows()).map(({ uri }) => uri))
    .toEqual(expect.arrayContaining(calls.map(({ path }) => path)))
  const text = JSON.stringify(await rows())
  for (const each of shown) expect(text).not.toContain(each)
})

test('the file of a batch has secrets for whoever may see them, and none for others', async () => {
  const secretsFor = async (...endpoints: Endpoint[]) => {
    const call = await who(multiCreateDevices, ...endpoints)
    const prefix = `batch${endpoints.length}-`
    const { data } = await call(multiCreateDevices, { productID: key.productID, prefix, count: 2 })
    await untilJobEnds(world, data.jobID)
    const { fileUri } = (await call(readJob, data)).data
    const { body } = await world.app.http.inject({ method: 'GET', url: fileUri })
    return body
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((line) => line.split(',')[2])
  }
  expect(await secretsFor()).toEqual(['', ''])
  expect(await secretsFor(readDeviceSecret)).toEqual([expect.stringMatching(/=$/), expect.stringMatching(/=$/)])
})

test('an old secret leaves the database when its grace is over', async () => {
  const [short, long] = [await makeDevice(world, key.productID), await makeDevice(world, key.productID)]
  const productID = await makeProduct(world)
  await world.asAdmin(rotateDeviceSecret, { ...short, graceSeconds: 3600 })
  await world.asAdmin(rotateDeviceSecret, { ...long, graceSeconds: 86_400 })
  await world.asAdmin(rotateProductSecret, { productID, graceSeconds: 3600 })
  const kept = async () => {
    const devices = await world.db
      .selectFrom('device')
      .select('device_name as name')
      .where(sql<boolean>`old_secret <> ''`)
      .execute()
    const products = await world.db
      .selectFrom('product')
      .select('product_id as name')
      .where(sql<boolean>`old_secret <> ''`)
      .execute()
    return [...devices, ...products].map(({ name }) => name)
  }
  // Other tests of this file rotate too.
  const mine = async () => {
    const names = await kept()
    return [short.deviceName, long.deviceName, productID].filter((name) => names.includes(name))
  }
  const now = world.clock.now()
  await dropOldSecrets(world.db, now)
  expect(await mine()).toEqual([short.deviceName, long.deviceName, productID])
  expect(await dropOldSecrets(world.db, now + 3_600_001)).toBeGreaterThanOrEqual(2)
  expect(await mine()).toEqual([long.deviceName])
})

test('secrets of what does not exist are refused with 100009', async () => {
  const token = world.admin
  const ghost = { productID: key.productID, deviceName: 'ghost' }
  for (const endpoint of [readDeviceSecret, rotateDeviceSecret]) {
    expect(await world.call(endpoint, ghost, { token })).toMatchObject({ code: 100009 })
  }
  for (const endpoint of [readProductSecret, rotateProductSecret]) {
    expect(await world.call(endpoint, { productID: '00000000000' }, { token })).toMatchObject({ code: 100009 })
  }
})
