import { afterEach, beforeEach, expect, test } from 'vitest'
import { simulateDevice } from './simulate-device.ts'
import { bindEntry } from './sub-devices.ts'
import { lampModel, openPlatform, otherSecret, type Platform, secret } from './testing/platform.ts'

const device = { productID: '254pwnKQsvK', deviceName: 'gw1', secret }
const names = ['sub1', 'sub2']
const model = lampModel()
const productID = '255fCKEJ02I'

let platform: Platform
const ends: Array<() => Promise<void>> = []
beforeEach(async () => {
  platform = await openPlatform()
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  await platform.close()
})

function begin() {
  const gateway = simulateDevice({
    url: platform.url,
    device,
    model: { properties: [], events: [], actions: [] },
    options: { intervalMs: 0, eventEveryMs: 0, reconnectMs: 10 },
    children: names.map((deviceName) => ({
      device: { productID, deviceName, secret: otherSecret },
      model,
      options: { intervalMs: 20, eventEveryMs: 0 },
    })),
  })
  ends.push(() => gateway.stop())
  return gateway
}

/** Agrees to every binding. */
const agree = () =>
  platform.onUplink((uplink) => {
    const { method, clientToken, payload } = uplink.body ?? {}
    if (method !== 'bind') return
    void platform.reply(uplink, { method, clientToken, code: 200, payload })
  })

const reportsOf = (name: string) =>
  platform.uplinks.filter(({ topic }) => topic === `$thing/up/property/${productID}/${name}`)

test('device-protocol.md 11: the binding is signed with the secret of the sub-device', () => {
  const entry = bindEntry({ productID, deviceName: 'sub1', secret }, 12345, 1589786839)
  expect(entry).toMatchObject({ random: 12345, timestamp: 1589786839, signMethod: 'hmacsha256' })
  expect(entry.signature).toBe('d7fed2fe2567e41d5f3ae784067b7fb8388d1338d203e299d94cd659a1b87bc6')
})

test('a gateway binds its sub-devices, brings them online and carries their reports', async () => {
  agree()
  const gateway = begin()
  await expect.poll(() => gateway.childrenOnline).toBe(2)
  await expect.poll(() => reportsOf('sub1').length + reportsOf('sub2').length).toBeGreaterThan(2)
  expect(platform.on('gateway/status', 'online')[0]?.body?.payload).toEqual({
    devices: names.map((deviceName) => ({ productID, deviceName })),
  })
  expect(platform.subscriptions.get('254pwnKQsvKgw1')).toContain(`$thing/down/property/${productID}/sub1`)
  expect(new Set(platform.uplinks.map(({ clientID }) => clientID))).toEqual(new Set(['254pwnKQsvKgw1']))
})

test('nothing is reported for a sub-device whose binding is refused', async () => {
  platform.onUplink((uplink) => {
    const { method, clientToken } = uplink.body ?? {}
    if (method === 'bind') void platform.reply(uplink, { method, clientToken, code: 100006 })
  })
  const gateway = begin()
  await expect.poll(() => gateway.counts.refused).toBe(1)
  expect(gateway.childrenOnline).toBe(0)
  expect(platform.on('gateway/status')).toEqual([])
})

test('a command to a sub-device is obeyed by that one', async () => {
  agree()
  const gateway = begin()
  await expect.poll(() => gateway.childrenOnline).toBe(2)
  // Before it has subscribed nothing can reach it.
  const wanted = `$thing/down/property/${productID}/sub2`
  await expect.poll(() => platform.subscriptions.get('254pwnKQsvKgw1')).toContain(wanted)
  const control = { method: 'control', clientToken: 'c', params: { brightness: 95 } }
  await platform.send(`$thing/down/property/${productID}/sub2`, control)
  await expect.poll(() => reportsOf('sub2').map(({ body }) => body?.method)).toContain('control_reply')
  await expect.poll(() => (reportsOf('sub2').at(-1)?.body?.params as { brightness?: number })?.brightness).toBe(95)
  expect(reportsOf('sub1').map(({ body }) => body?.method)).not.toContain('control_reply')
})

test('a sub-device that is unbound falls silent, and speaks again when it is bound', async () => {
  agree()
  const gateway = begin()
  await expect.poll(() => gateway.childrenOnline).toBe(2)
  const change = (status: number) =>
    platform.send('$gateway/down/operation/254pwnKQsvK/gw1', {
      method: 'change',
      payload: { status, devices: [{ productID, deviceName: 'sub1' }] },
    })
  await change(2)
  await expect.poll(() => gateway.childrenOnline).toBe(1)
  await change(1)
  await expect.poll(() => gateway.childrenOnline).toBe(2)
})

test('after a break everything is bound again; at the end the sub-devices say goodbye', async () => {
  agree()
  const gateway = begin()
  await expect.poll(() => gateway.childrenOnline).toBe(2)
  platform.cut('254pwnKQsvKgw1')
  await expect.poll(() => platform.on('gateway/operation', 'bind')).toHaveLength(2)
  await expect.poll(() => gateway.childrenOnline).toBe(2)
  await gateway.stop()
  const offline = platform.on('gateway/status', 'offline').at(-1)
  expect(offline?.body?.payload).toEqual({ devices: names.map((deviceName) => ({ productID, deviceName })) })
})
