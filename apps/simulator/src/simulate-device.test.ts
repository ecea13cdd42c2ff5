import { Dialect } from '@ithings/contract/device/messages.ts'
import { compileDefine } from '@ithings/contract/thing-model/values.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { SimulateOptions } from './options.ts'
import { type SimulateParts, simulateDevice } from './simulate-device.ts'
import { lampModel, openPlatform, otherSecret, type Platform, secret } from './testing/platform.ts'

const device = { productID: '254pwnKQsvK', deviceName: 'lamp1', secret }
const at = '254pwnKQsvK/lamp1'
const model = lampModel()

let platform: Platform
const ends: Array<() => Promise<void>> = []
beforeEach(async () => {
  platform = await openPlatform()
})
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
  await platform.close()
})

function begin(options: SimulateOptions = {}, more: Partial<SimulateParts> = {}) {
  const usual = { intervalMs: 20, eventEveryMs: 0, reconnectMs: 10 }
  const lamp = simulateDevice({ url: platform.url, device, model, options: { ...usual, ...options }, ...more })
  ends.push(() => lamp.stop())
  return lamp
}

async function beginConnected(options: SimulateOptions = {}, more: Partial<SimulateParts> = {}) {
  const lamp = begin({ intervalMs: 0, ...options }, more)
  await expect.poll(() => lamp.connected).toBe(true)
  return lamp
}

const reports = () => platform.on('thing/property', 'report')

test('device-protocol.md 2: it signs in by HMAC and listens to its own topics', async () => {
  await beginConnected()
  expect(platform.connects).toEqual(['254pwnKQsvKlamp1'])
  expect(platform.subscriptions.get('254pwnKQsvKlamp1')).toEqual([
    `$thing/down/property/${at}`,
    `$thing/down/event/${at}`,
    `$thing/down/action/${at}`,
    `$ota/down/upgrade/${at}`,
    `$ota/down/progress/${at}`,
    `$ota/down/report/${at}`,
    `$config/down/get/${at}`,
    `$config/down/push/${at}`,
  ])
})

test('a wrong secret is told and tried again', async () => {
  const states: string[] = []
  const lamp = begin(
    { onState: ({ reason }) => void states.push(reason) },
    { device: { ...device, secret: otherSecret } },
  )
  await expect.poll(() => states.length).toBeGreaterThan(1)
  expect(states[0]).toMatch(/refused|username|password/i)
  expect(lamp.connected).toBe(false)
})

test('it reports all properties again and again, each a valid value', async () => {
  const lamp = begin()
  await expect.poll(() => reports().length).toBeGreaterThan(3)
  for (const { body, topic } of reports()) {
    expect(topic).toBe(`$thing/up/property/${at}`)
    expect(body).toMatchObject({ method: 'report', clientToken: expect.any(String), timestamp: expect.any(Number) })
    const params = body?.params as Record<string, unknown>
    expect(Object.keys(params)).toEqual(['power', 'brightness', 'temp'])
    for (const { identifier, define } of model.properties) {
      expect(compileDefine(define, 'command')(params[identifier], identifier).ok).toBe(true)
    }
  }
  expect(new Set(reports().map(({ body }) => body?.clientToken)).size).toBe(reports().length)
  await expect.poll(() => lamp.counts.acked).toBeGreaterThan(3)
})

test('control: it keeps the value, answers in its dialect, and reports the value from then on', async () => {
  const lamp = await beginConnected()
  const params = { power: true, brightness: 35 }
  await platform.send(`$thing/down/property/${at}`, { method: 'control', clientToken: 'c1', msgToken: 'c1', params })
  await expect.poll(() => platform.on('thing/property', 'control_reply')).toHaveLength(1)
  expect(platform.on('thing/property', 'control_reply')[0]?.body).toMatchObject({
    clientToken: 'c1',
    msgToken: 'c1',
    code: 200,
  })
  expect(lamp.values()).toMatchObject(params)
  lamp.report()
  await expect.poll(() => reports().at(-1)?.body?.params).toMatchObject(params)
})

test.each([
  ['an unknown property', { nothing: 1 }, 100006],
  ['a read-only property', { temp: 20 }, 100006],
  ['a value beyond its limits', { brightness: 105 }, 100015],
])('control of %s is refused and changes nothing', async (_name, params, code) => {
  const lamp = await beginConnected({ curves: { brightness: { kind: 'constant', value: 10 } } })
  const control = { method: 'control', clientToken: 'c', params: { brightness: 50, ...params } }
  await platform.send(`$thing/down/property/${at}`, control)
  await expect.poll(() => platform.on('thing/property', 'control_reply')[0]?.body?.code).toBe(code)
  expect(lamp.values().brightness).toBe(10)
})

test('the camelCase dialect spells methods and tokens its way', async () => {
  const lamp = await beginConnected({ dialect: Dialect.camel })
  lamp.report()
  lamp.postEvent('overheat')
  await platform.send(`$thing/down/property/${at}`, { method: 'control', msgToken: 'c1', params: { power: true } })
  await expect.poll(() => platform.on('thing/property', 'controlReply')).toHaveLength(1)
  expect(platform.on('thing/event', 'eventPost')).toHaveLength(1)
  expect(reports()[0]?.body).toHaveProperty('msgToken')
})

test('action: it answers with every output; an input that is missing is refused', async () => {
  await beginConnected()
  const call = (params: object, clientToken: string) =>
    platform.send(`$thing/down/action/${at}`, { method: 'action', clientToken, actionID: 'blink', params })
  await call({ times: 3 }, 'a1')
  await call({}, 'a2')
  await expect.poll(() => platform.on('thing/action', 'action_reply')).toHaveLength(2)
  const [good, bad] = platform.on('thing/action', 'action_reply').map(({ body }) => body)
  expect(good).toMatchObject({ clientToken: 'a1', code: 200, response: { done: expect.any(Boolean) } })
  expect(good?.data).toEqual(good?.response)
  expect(bad).toMatchObject({ clientToken: 'a2', code: 100006 })
})

test('getReport is answered with what was asked, or everything', async () => {
  await beginConnected()
  const ask = (identifiers?: string[]) =>
    platform.send(`$thing/down/property/${at}`, { method: 'getReport', clientToken: 'g', identifiers })
  await ask(['temp'])
  await ask()
  await expect.poll(() => platform.on('thing/property', 'getReportReply')).toHaveLength(2)
  const params = platform.on('thing/property', 'getReportReply').map(({ body }) => Object.keys(body?.params as object))
  expect(params).toEqual([['temp'], ['power', 'brightness', 'temp']])
})

test('events are posted from time to time with all their parameters', async () => {
  begin({ intervalMs: 0, eventEveryMs: 20 })
  await expect.poll(() => platform.on('thing/event', 'event_post').length).toBeGreaterThan(1)
  expect(platform.on('thing/event', 'event_post')[0]?.body).toMatchObject({
    eventID: 'overheat',
    type: 'alert',
    params: { level: expect.any(Number) },
  })
})

test('desired values of the shadow are asked for at sign-in and kept; defaults are no wishes', async () => {
  platform.onUplink((uplink) => {
    if (uplink.body?.method !== 'get_status') return
    const { clientToken } = uplink.body
    void platform.reply(uplink, {
      method: 'get_status_reply',
      clientToken,
      code: 200,
      data: { power: false, brightness: 85 },
    })
  })
  const curves = { brightness: { kind: 'constant', value: 10 } } as const
  const lamp = await beginConnected({ curves })
  await expect.poll(() => lamp.values().brightness).toBe(85)
  expect(platform.on('thing/property', 'get_status')[0]?.body?.identifiers).toEqual(['power', 'brightness'])
})

test('replies of the platform are counted', async () => {
  let code = 200
  platform.onUplink((uplink) => {
    if (uplink.body?.method !== 'report') return
    void platform.reply(uplink, { method: 'report_reply', clientToken: uplink.body.clientToken, code })
    code = 100015
  })
  const lamp = begin()
  await expect.poll(() => lamp.counts).toMatchObject({ accepted: 1, refused: expect.any(Number) })
  await expect.poll(() => lamp.counts.refused).toBeGreaterThan(0)
})

test('faults: bad JSON, wrong types, numbers beyond limits, duplicates', async () => {
  // Whoever has just come also asks for its state.
  const sent = () => platform.on('thing/property').filter(({ body }) => body?.method !== 'get_status')
  const texts = async (faults: SimulateOptions['faults']) => {
    const lamp = await beginConnected({ faults })
    const before = sent().length
    lamp.report()
    await expect.poll(() => sent().length).toBeGreaterThan(before)
    await expect.poll(() => lamp.counts.acked).toBe(lamp.counts.sent)
    await lamp.stop()
    return sent().slice(before)
  }
  expect((await texts({ badJson: 1 })).map(({ body }) => body)).toEqual([undefined])
  expect((await texts({ wrongType: 1 }))[0]?.body?.params).toMatchObject({ power: { bad: true } })
  expect((await texts({ outOfRange: 1 }))[0]?.body?.params).toMatchObject({ brightness: 1100 })
  const twice = await texts({ duplicate: 1 })
  expect(twice).toHaveLength(2)
  expect(twice[1]?.text).toBe(twice[0]?.text)
})

test('fault: a wrong clock moves all device times', async () => {
  const lamp = await beginConnected({ now: () => 1_000_000, faults: { clockSkewMs: -400_000 } })
  lamp.report()
  await expect.poll(() => reports()[0]?.body?.timestamp).toBe(600_000)
})

test('faults: commands stay unanswered, are answered late, or fail', async () => {
  const control = { method: 'control', clientToken: 'c', params: { power: true } }
  const silent = await beginConnected({ faults: { reply: 'none' } })
  await platform.send(`$thing/down/property/${at}`, control)
  await expect.poll(() => silent.counts.commands).toBe(1)
  await silent.stop()
  expect(platform.on('thing/property', 'control_reply')).toEqual([])

  const slow = await beginConnected({ faults: { reply: 'slow', replyDelayMs: 50 } })
  const asked = performance.now()
  await platform.send(`$thing/down/property/${at}`, control)
  await expect.poll(() => platform.on('thing/property', 'control_reply')).toHaveLength(1)
  expect(platform.on('thing/property', 'control_reply')[0]?.at).toBeGreaterThanOrEqual(asked + 49)
  await slow.stop()

  await beginConnected({ faults: { reply: 'error' } })
  await platform.send(`$thing/down/property/${at}`, control)
  await expect.poll(() => platform.on('thing/property', 'control_reply')[1]?.body?.code).toBe(100025)
})

test('faults: shares of commands fail or stay unanswered', async () => {
  const lamp = await beginConnected({ seed: 'shares', faults: { failedReplies: 0.3, silentReplies: 0.2 } })
  for (let i = 0; i < 100; i++) {
    await platform.send(`$thing/down/property/${at}`, {
      method: 'control',
      clientToken: `c${i}`,
      params: { power: true },
    })
  }
  await expect.poll(() => lamp.counts.commands).toBe(100)
  await expect.poll(() => lamp.counts.acked).toBe(lamp.counts.sent)
  const codes = platform.on('thing/property', 'control_reply').map(({ body }) => body?.code)
  expect(codes.length).toBeGreaterThan(65)
  expect(codes.length).toBeLessThan(95)
  expect(codes.filter((code) => code === 100025).length).toBeGreaterThan(10)
  expect(codes.filter((code) => code === 200).length).toBeGreaterThan(35)
})

test('faults: broken connections come back, flapping goes off and on', async () => {
  const broken = begin({ faults: { dropEveryMs: 30 } })
  await expect.poll(() => broken.counts.connects).toBeGreaterThan(2)
  await broken.stop()
  const flapping = begin({ faults: { flap: { upMs: 20, downMs: 20 } } })
  await expect.poll(() => flapping.counts.connects).toBeGreaterThan(2)
})

test('what it was told to keep survives a broken connection', async () => {
  const lamp = await beginConnected()
  await platform.send(`$thing/down/property/${at}`, { method: 'control', clientToken: 'c', params: { brightness: 95 } })
  await expect.poll(() => lamp.values().brightness).toBe(95)
  platform.cut('254pwnKQsvKlamp1')
  await expect.poll(() => lamp.counts.connects).toBe(2)
  expect(lamp.values().brightness).toBe(95)
})

test('after stop nothing is sent and nothing connects', async () => {
  const lamp = begin()
  await expect.poll(() => reports().length).toBeGreaterThan(0)
  await lamp.stop()
  const { sent } = lamp.counts
  await expect.poll(() => platform.goodbyes).toContain('254pwnKQsvKlamp1')
  lamp.report()
  expect(lamp.counts.sent).toBe(sent)
  expect(lamp.connected).toBe(false)
})

test('values of one seed are the same in every run', async () => {
  const options = { seed: 'fixed', now: () => 1_700_000_000_000 }
  const one = await beginConnected(options)
  const other = begin(options)
  expect(one.values()).toEqual(other.values())
})
