import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SimulateOptions } from './options.ts'
import { simulateDevice } from './simulate-device.ts'
import { lampModel, openPlatform, otherSecret, type Platform, secret } from './testing/platform.ts'

const device = { productID: '254pwnKQsvK', deviceName: 'lamp1', secret }
const at = '254pwnKQsvK/lamp1'
const model = lampModel()

let platform: Platform
const ends: Array<() => Promise<unknown>> = []
beforeEach(async () => {
  platform = await openPlatform()
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  await platform.close()
})

async function begin(options: SimulateOptions = {}, deviceName = 'lamp1') {
  const lamp = simulateDevice({
    url: platform.url,
    device: { ...device, deviceName },
    model,
    options: { intervalMs: 0, eventEveryMs: 0, reconnectMs: 10, version: '1.0.0', ...options },
  })
  ends.push(() => lamp.stop())
  await expect.poll(() => lamp.connected).toBe(true)
  return lamp
}

const offer = (data: object, to = at) =>
  platform.send(`$ota/down/upgrade/${to}`, { method: 'reportInfo', clientToken: 'u', code: 200, data })
const progress = () =>
  platform
    .on('ota/progress')
    .map(({ body }) => body?.params as { id: number; step: number; desc: string; module: string })
const steps = () => progress().map(({ step }) => step)
const versions = () => platform.on('ota/report').map(({ body }) => body?.params)

test('device-protocol.md 8: an upgrade goes step by step and ends with the new version', async () => {
  const lamp = await begin({ upgrade: { stepMs: 5 } })
  await expect.poll(versions).toEqual([{ version: '1.0.0', module: 'default' }])
  await offer({ id: 7, version: '1.1.0', files: [] })
  await offer({ id: 7, version: '1.1.0', files: [] })
  await expect.poll(() => versions().at(-1)).toEqual({ version: '1.1.0', module: 'default' })
  expect(lamp.version).toBe('1.1.0')
  expect(steps()).toEqual([5, 20, 40, 60, 80, 100])
  expect(progress().every(({ id }) => id === 7)).toBe(true)
})

test('every module is reported at sign-in, and an upgrade moves only the module that it names', async () => {
  const lamp = await begin({ modules: { wifi: '3.0.0' }, upgrade: { stepMs: 1 } })
  await expect.poll(versions).toEqual([
    { version: '3.0.0', module: 'wifi' },
    { version: '1.0.0', module: 'default' },
  ])
  await offer({ id: 1, version: '3.1.0', module: 'wifi' })
  await offer({ id: 2, version: '1.1.0', module: 'main' })
  await expect.poll(() => lamp.versions).toEqual({ wifi: '3.1.0', default: '1.1.0' })
  await expect.poll(() => versions().length).toBe(4)
  expect(lamp.version).toBe('1.1.0')
  expect(new Set(progress().map(({ id, module }) => `${id} ${module}`))).toEqual(new Set(['1 wifi', '2 default']))
})

test('a version that it has already is told again and not installed', async () => {
  await begin({ upgrade: { stepMs: 1 } })
  await offer({ id: 7, version: '1.0.0' })
  await expect.poll(versions).toHaveLength(2)
  expect(steps()).toEqual([])
})

test('fault: an upgrade that fails tells a negative step and keeps the version', async () => {
  const lamp = await begin({ upgrade: { stepMs: 5 }, faults: { upgradeFailsAt: 40 } })
  await offer({ id: 7, version: '1.1.0' })
  await expect.poll(steps).toEqual([5, 20, -1])
  expect(lamp.version).toBe('1.0.0')
  await offer({ id: 7, version: '1.1.0' })
  await expect.poll(steps).toEqual([5, 20, -1, 5, 20, -1])
})

test('a share of devices fails, more of them for the version that is bad', async () => {
  const upgrade = { stepMs: 0, failShare: 0, failShareOf: { '2.0.0': 0.3 } }
  const names = Array.from({ length: 60 }, (_, i) => `lamp${i}`)
  const lamps = await Promise.all(names.map((name) => begin({ upgrade }, name)))
  const upgraded = (version: string) => lamps.filter((lamp) => lamp.version === version).length
  await Promise.all(names.map((name) => offer({ id: 1, version: '1.1.0' }, `${device.productID}/${name}`)))
  await expect.poll(() => upgraded('1.1.0')).toBe(60)
  await Promise.all(names.map((name) => offer({ id: 2, version: '2.0.0' }, `${device.productID}/${name}`)))
  const failed = () => steps().filter((step) => step < 0).length
  await expect.poll(() => upgraded('2.0.0') + failed()).toBe(60)
  expect(failed()).toBeGreaterThan(8)
  expect(failed()).toBeLessThan(30)
})

const image = Buffer.from(Array.from({ length: 2_500_000 }, (_, i) => (i * 7919) % 251))
const sha256 = createHash('sha256').update(image).digest('hex')
const md5 = createHash('md5').update(image).digest('hex')

/** A file server that knows Range, and breaks the first connection. */
async function serveImage(content = image) {
  const ranges: string[] = []
  const server: Server = createServer((request, response) => {
    const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '')
    ranges.push(request.headers.range ?? '')
    if (ranges.length === 1) return void request.socket.destroy()
    if (!range) return void response.writeHead(400).end()
    const [from, to] = [Number(range[1]), Number(range[2])]
    response.writeHead(206, { 'content-range': `bytes ${from}-${to}/${content.length}` })
    response.end(content.subarray(from, to + 1))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  ends.push(() => new Promise((resolve) => server.close(resolve)))
  return { http: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, ranges }
}

test.each([
  ['sha256', sha256],
  ['md5', md5],
])('files are fetched in pieces, over a break of the network, and checked by %s', async (signMethod, signature) => {
  const { http, ranges } = await serveImage()
  const lamp = await begin({ upgrade: { stepMs: 1, download: true, http } })
  const file = { name: 'main.bin', size: image.length, signature, url: '/files/main.bin?sign=x' }
  await offer({ id: 7, version: '1.1.0', signMethod, files: [file] })
  await expect.poll(() => lamp.version).toBe('1.1.0')
  expect(ranges).toEqual(['bytes=0-1048575', 'bytes=0-1048575', 'bytes=1048576-2097151', 'bytes=2097152-2499999'])
  expect(lamp.counts.downloaded).toBe(image.length)
  await expect.poll(steps).toEqual([5, 20, 40, 60, 80, 100])
})

test('a file with another hash is not installed; one that is missing neither', async () => {
  const { http } = await serveImage()
  const lamp = await begin({ upgrade: { stepMs: 1, download: true } })
  const file = { name: 'main.bin', size: image.length, signature: '00', url: `${http}/main.bin` }
  await offer({ id: 7, version: '1.1.0', signMethod: 'sha256', files: [file] })
  await expect.poll(() => steps().at(-1)).toBe(-3)
  expect(progress().at(-1)?.desc).toContain('校验失败')
  await offer({
    id: 8,
    version: '1.2.0',
    signMethod: 'sha256',
    files: [{ ...file, url: 'http://127.0.0.1:1/main.bin' }],
  })
  await expect.poll(() => steps().at(-1)).toBe(-2)
  expect(lamp.version).toBe('1.0.0')
})

test('it may restart: signs off and comes back with the new version', async () => {
  const lamp = await begin({ upgrade: { stepMs: 1, restartMs: 20 } })
  await offer({ id: 7, version: '1.1.0' })
  await expect.poll(() => lamp.counts.connects).toBe(2)
  await expect.poll(versions).toEqual([
    { version: '1.0.0', module: 'default' },
    { version: '1.1.0', module: 'default' },
  ])
  expect(platform.goodbyes).toEqual(['254pwnKQsvKlamp1'])
})

test('it may leave after it told the new version, once, and come back', async () => {
  const lamp = await begin({ upgrade: { stepMs: 1, leaveAfterMs: 10, awayMs: 10 } })
  await offer({ id: 7, version: '1.1.0' })
  await expect.poll(() => platform.goodbyes).toHaveLength(1)
  await expect.poll(() => lamp.counts.connects).toBe(2)
  await expect.poll(() => versions().at(-1)).toEqual({ version: '1.1.0', module: 'default' })
  await expect.poll(() => lamp.counts.acked).toBe(lamp.counts.sent)
  expect(platform.goodbyes).toHaveLength(1)
})

test('it may come back from there with the version that it had before', async () => {
  const lamp = await begin({ upgrade: { stepMs: 1, leaveAfterMs: 10, awayMs: 10, rollBack: true } })
  await offer({ id: 7, version: '1.1.0' })
  await expect.poll(versions).toEqual(['1.0.0', '1.1.0', '1.0.0'].map((version) => ({ version, module: 'default' })))
  expect(lamp.version).toBe('1.0.0')
})

test('a platform that asks for the versions is told all of them', async () => {
  await begin({ modules: { wifi: '3.0.0' } })
  await expect.poll(versions).toHaveLength(2)
  await platform.send(`$ota/down/report/${at}`, { method: 'getReport', clientToken: 'v' })
  await expect
    .poll(() => versions().slice(2))
    .toEqual([
      { version: '3.0.0', module: 'wifi' },
      { version: '1.0.0', module: 'default' },
    ])
})

test('a sub-device takes firmware and configuration through its gateway', async () => {
  platform.onUplink((uplink) => {
    const { method, clientToken, payload } = uplink.body ?? {}
    if (method === 'bind') void platform.reply(uplink, { method, clientToken, code: 200, payload })
  })
  const child = { productID: '255fCKEJ02I', deviceName: 'sub1', secret: otherSecret }
  const gateway = simulateDevice({
    url: platform.url,
    device,
    model,
    options: { intervalMs: 0, eventEveryMs: 0 },
    children: [{ device: child, model, options: { intervalMs: 0, version: '1.0.0', upgrade: { stepMs: 1 } } }],
  })
  ends.push(() => gateway.stop())
  await expect.poll(() => gateway.childrenOnline).toBe(1)
  await expect
    .poll(() => platform.subscriptions.get('254pwnKQsvKlamp1'))
    .toContain('$ota/down/upgrade/255fCKEJ02I/sub1')
  await offer({ id: 3, version: '1.1.0' }, '255fCKEJ02I/sub1')
  await expect.poll(() => versions().at(-1)).toEqual({ version: '1.1.0', module: 'default' })
  expect(platform.on('ota/progress')[0]?.topic).toBe('$ota/up/progress/255fCKEJ02I/sub1')
  await expect
    .poll(() => platform.on('config/get').map(({ topic }) => topic))
    .toContain('$config/up/get/255fCKEJ02I/sub1')
})

test('device-protocol.md 7: it asks for its configuration at sign-in and keeps what is pushed', async () => {
  platform.onUplink((uplink) => {
    if (uplink.body?.method !== 'get') return
    void platform.reply(uplink, { method: 'reply', clientToken: '', code: 200, payload: '{"a":1}', data: '{"a":1}' })
  })
  const lamp = await begin()
  await expect.poll(() => lamp.configuration).toBe('{"a":1}')
  await platform.send(`$config/down/push/${at}`, { method: 'push', payload: '{"a": 2}' })
  await expect.poll(() => lamp.configuration).toBe('{"a": 2}')
  expect(lamp.counts.configs).toBe(2)
})

test('without remote configuration it neither asks nor listens', async () => {
  const lamp = await begin({ remoteConfig: false })
  lamp.report()
  await expect.poll(() => platform.on('thing/property', 'report')).toHaveLength(1)
  expect(platform.on('config/get')).toEqual([])
  expect(platform.subscriptions.get('254pwnKQsvKlamp1')?.filter((topic) => topic.startsWith('$config'))).toEqual([])
})
