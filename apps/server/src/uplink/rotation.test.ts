/** Rotation of secrets with real devices, on two servers of one database: people call the first, devices the second. */
import { createDecipheriv, createHmac } from 'node:crypto'
import { clientIDOf, passwordOf, SignMethod, signText, userNameOf } from '@ithings/contract/device/credentials.ts'
import { auth5Login, authLogin, authRegister } from '@ithings/contract/features/device-auth.ts'
import { updateProduct } from '@ithings/contract/features/products.ts'
import {
  readDeviceSecret,
  readProductSecret,
  rotateDeviceSecret,
  rotateProductSecret,
} from '@ithings/contract/features/secrets.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeDevice, makeProduct } from '#features/devices/testing/make-devices.ts'
import { connectDevice, type DeviceKey, type TestDevice } from '#testing/mqtt-device.ts'
import { adminName, adminPassword } from '#testing/test-config.ts'
import { openWorld, type World } from '#testing/world.ts'

let first: World
let second: World
let productID = ''
const methods = [SignMethod.sha256, SignMethod.sha1]
const daySeconds = 86_400
const hour = 3_600

beforeAll(async () => {
  first = await openWorld({ config: { databaseUrl: 'given' } })
  second = await openWorld({ databaseUrl: first.url, config: { databaseUrl: 'given' } })
  productID = await makeProduct(first)
})
afterAll(async () => {
  await second.close()
  await first.close()
})

const secretOf = async (key: DeviceKey) => (await first.asAdmin(readDeviceSecret, key)).secret
/** The administrator's token does not live that long. */
async function advance(seconds: number) {
  for (const { clock } of [first, second]) clock.advance(seconds * 1000)
  for (const world of [first, second]) world.admin = await first.signIn(adminName, adminPassword)
}

function signed(key: DeviceKey, secret: string, method: SignMethod) {
  const clientId = clientIDOf(key)
  const username = userNameOf(clientId, 'ABCDE', Math.floor(second.clock.now() / 1000) + daySeconds)
  return { clientId, username, password: passwordOf(username, secret, method) }
}

const connect = (key: DeviceKey, secret: string, method: SignMethod = SignMethod.sha256): Promise<TestDevice> =>
  connectDevice(second, key, { ...signed(key, secret, method), subscribe: [] })

/** What both signatures get over MQTT, and from the hooks that an EMQX 4 and an EMQX 5 ask. */
async function answersTo(key: DeviceKey, secret: string) {
  const answers: string[] = []
  for (const method of methods) {
    const over = await connect(key, secret, method).then(
      (device) => device.end().then(() => 'in'),
      (error: { code?: number }) => `refused ${error.code}`,
    )
    const { clientId: clientID, username, password } = signed(key, secret, method)
    const payload = { clientID, username, password }
    answers.push(over)
    for (const { path: url } of [authLogin, auth5Login]) {
      const hook = await second.app.http.inject({ method: 'POST', url, payload })
      answers.push(String(hook.statusCode))
    }
  }
  return answers
}
const welcome = ['in', '200', '200', 'in', '200', '200']
const refused = ['refused 4', '400', '400', 'refused 4', '400', '400']

test('within the grace both secrets sign in, with every signature; afterwards the new one alone', async () => {
  const key = await makeDevice(first, productID)
  const old = await secretOf(key)
  expect(await answersTo(key, old)).toEqual(welcome)
  const { oldValidUntil } = await first.asAdmin(rotateDeviceSecret, { ...key, graceSeconds: hour })
  const fresh = await first.asAdmin(readDeviceSecret, key)
  expect(fresh).toMatchObject({ oldValidUntil })
  expect(Number(oldValidUntil)).toBeGreaterThan(first.clock.now() / 1000)
  expect(fresh.secret).not.toBe(old)
  await expect.poll(() => answersTo(key, fresh.secret)).toEqual(welcome)
  expect(await answersTo(key, old)).toEqual(welcome)
  await advance(hour + 1)
  expect(await answersTo(key, old)).toEqual(refused)
  expect(await answersTo(key, fresh.secret)).toEqual(welcome)
  expect(await first.asAdmin(readDeviceSecret, key)).toEqual({ secret: fresh.secret, oldValidUntil: '0' })
})

test('without a grace the old secret is refused at once and its connection is ended', async () => {
  const key = await makeDevice(first, productID)
  const old = await secretOf(key)
  const device = await connect(key, old)
  expect(await first.asAdmin(rotateDeviceSecret, { ...key, graceSeconds: 0 })).toEqual({ oldValidUntil: '0' })
  await device.closed
  expect(await answersTo(key, old)).toEqual(refused)
  expect(await answersTo(key, await secretOf(key))).toEqual(welcome)
})

test('a connection of the old secret is ended with its grace, one of the new secret stays', async () => {
  const [slow, quick] = [await makeDevice(first, productID), await makeDevice(first, productID)]
  const stale = await connect(slow, await secretOf(slow))
  for (const key of [slow, quick]) await first.asAdmin(rotateDeviceSecret, { ...key, graceSeconds: 1 })
  const fresh = await secretOf(quick)
  let renewed: TestDevice | undefined
  await expect.poll(async () => (renewed ??= await connect(quick, fresh).catch(() => undefined))).toBeDefined()
  await advance(2)
  await stale.closed
  expect(renewed?.client.connected).toBe(true)
  await renewed?.end()
})

test('a second rotation voids the secret that was in its grace', async () => {
  const key = await makeDevice(first, productID)
  const oldest = await secretOf(key)
  await first.asAdmin(rotateDeviceSecret, key)
  const middle = await secretOf(key)
  await first.asAdmin(rotateDeviceSecret, key)
  await expect.poll(() => answersTo(key, oldest)).toEqual(refused)
  expect(await answersTo(key, middle)).toEqual(welcome)
  expect(await answersTo(key, await secretOf(key))).toEqual(welcome)
})

test('a gateway binds a sub-device by either secret within the grace', async () => {
  const gateway = await makeDevice(first, await makeProduct(first, { deviceType: 2 }))
  const child = await makeDevice(first, await makeProduct(first, { deviceType: 3 }))
  const old = await secretOf(child)
  await first.asAdmin(rotateDeviceSecret, { ...child, graceSeconds: hour })
  const device = await connectDevice(second, gateway)
  const bind = async (secret: string) => {
    const text = `${child.productID};${child.deviceName};7;1700000000`
    const signature = signText(text, secret, SignMethod.sha1)
    const devices = [{ ...child, signature, random: 7, timestamp: 1_700_000_000, signMethod: SignMethod.sha1 }]
    return (await device.ask('gateway/operation', { method: 'bind', payload: { devices } })).code
  }
  expect(await bind(old)).toBe(200)
  expect(await bind(await secretOf(child))).toBe(200)
  await advance(hour + 1)
  expect(await bind(old)).toBe(100006)
  await device.end()
})

test('registration takes both secrets of a product within the grace and answers in the one that it was asked with', async () => {
  const product = await makeProduct(first, { autoRegister: 3 })
  const productSecret = async () => (await first.asAdmin(readProductSecret, { productID: product })).secret
  const old = await productSecret()
  await first.asAdmin(rotateProductSecret, { productID: product, graceSeconds: hour })
  const register = async (deviceName: string, secret: string) => {
    const timestamp = Math.floor(first.clock.now() / 1000)
    const text = `deviceName=${deviceName}&nonce=7&productId=${product}&timestamp=${timestamp}`
    const signature = Buffer.from(createHmac('sha1', secret).update(text).digest('hex')).toString('base64')
    const body = { productID: product, deviceName, nonce: 7, timestamp, signature }
    const { code, data } = await second.call(authRegister, body)
    if (code !== 200) return code
    const cipher = createDecipheriv('aes-128-cbc', Buffer.from(secret).subarray(0, 16), Buffer.alloc(16, '0'))
    const { psk } = JSON.parse(Buffer.concat([cipher.update(data.payload, 'base64'), cipher.final()]).toString())
    return psk === (await secretOf({ productID: product, deviceName }))
  }
  expect([await register('one', old), await register('two', await productSecret())]).toEqual([true, true])
  await advance(hour + 1)
  expect([await register('three', old), await register('three', await productSecret())]).toEqual([100006, true])
  await first.asAdmin(rotateProductSecret, { productID: product, graceSeconds: 0 })
  expect(await register('four', old)).toBe(100006)
  await first.asAdmin(updateProduct, { productID: product, autoRegister: 1 })
})
