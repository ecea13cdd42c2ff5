import { beforeEach, expect, test } from 'vitest'
import type { Session } from '#ports/broker.ts'
import type { RecentMessage } from './corridor-deps.ts'
import { fingerprint, Repeats, rememberMs } from './repeats.ts'
import type { Uplink } from './uplink-message.ts'

let now = 1_700_000_000_000
let known: RecentMessage[] = []
let asked = 0
const session = (clientID: string) => ({ clientID }) as Session
const mine = session('mine')
const make = (startedAt = 0, alone = true) =>
  new Repeats({
    clock: { now: () => now },
    startedAt,
    memoryDevices: 1_000,
    alone,
    doors: {
      recentMessages: async () => {
        asked++
        return known
      },
    } as never,
  })
beforeEach(() => {
  now = 1_700_000_000_000
  known = []
  asked = 0
})

const message = (fields: Partial<{ token: string; deviceTime: number; dup: boolean; deviceID: number }> = {}) => {
  const { token = '', deviceTime = 0, dup = false, deviceID = 7 } = fields
  return { token, deviceTime, device: { deviceID }, packet: { dup, receivedAt: now } } as unknown as Uplink
}
const level = '{"level":1}'
const print = (up: Uplink, content = level) => fingerprint(up.token, up.deviceTime, '', content)
const storedOf = ({ token, deviceTime }: Uplink) => ({ token, deviceTime, dataID: '', content: level })

test('the same token and content again is a repeat, another content is not', () => {
  const repeats = make()
  const up = message({ token: 'a' })
  expect(repeats.isRepeat(up, print(up))).toBe(false)
  expect(repeats.isRepeat(up, print(up))).toBe(true)
  expect(repeats.isRepeat(up, print(up, '{"level":2}'))).toBe(false)
})

test('with a device time the token does not matter', () => {
  const repeats = make()
  const first = message({ token: 'a', deviceTime: 5 })
  const again = message({ token: 'b', deviceTime: 5 })
  expect(repeats.isRepeat(first, print(first))).toBe(false)
  expect(repeats.isRepeat(again, print(again))).toBe(true)
})

test('without token and time only the mark of MQTT tells a repeat', () => {
  const repeats = make()
  expect(repeats.isRepeat(message(), print(message()))).toBe(false)
  expect(repeats.isRepeat(message(), print(message()))).toBe(false)
  const marked = message({ dup: true })
  expect(repeats.isRepeat(marked, print(marked))).toBe(true)
})

test('events of one moment differ by their token', () => {
  const of = (token: string) => fingerprint(token, 5, 'overheat', '{}')
  expect(of('a')).toBe(of('a'))
  expect(of('a')).not.toBe(of('b'))
})

test('what fell out of the young memory meanwhile is forgotten too when it could not be stored', () => {
  const repeats = make()
  const up = message({ token: 'a' })
  repeats.isRepeat(up, print(up))
  now += rememberMs + 1
  const other = message({ token: 'b' })
  repeats.isRepeat(other, print(other))
  repeats.forget(7, print(up))
  expect(repeats.isRepeat(up, print(up))).toBe(false)
})

test('beside other servers the journal is asked once a connection: the device may have spoken to another', async () => {
  const repeats = make(0, false)
  await repeats.recall(7, mine)
  expect(repeats.recall(7, mine)).toBeUndefined()
  const up = message({ token: 'a' })
  known = [storedOf(up)]
  await repeats.recall(7, session('next'))
  expect(asked).toBe(2)
  expect(repeats.isRepeat(up, print(up))).toBe(true)
})

test('what was refused and not sent again meanwhile is settled once', () => {
  const repeats = make(now - rememberMs - 1)
  const up = message({ token: 'a' })
  const other = message({ token: 'b' })
  for (const one of [up, other]) {
    repeats.isRepeat(one, print(one))
    repeats.forget(7, print(one))
  }
  expect(repeats.settle(7, print(up))).toBe(true)
  expect(repeats.settle(7, print(up))).toBe(false)
  // It came again and was taken for new: then it has been heard of.
  expect(repeats.isRepeat(other, print(other))).toBe(false)
  expect(repeats.settle(7, print(other))).toBe(false)
})

test('an event may be from before memory when it is not newer than another, marked, or old and the first', () => {
  const repeats = make()
  const at = (deviceTime: number, dup = false) => repeats.mayBeOld(message({ deviceTime, dup, token: 'e' }))
  expect(at(now)).toBe(false)
  expect(at(now + 1)).toBe(false)
  expect(at(now + 1)).toBe(true)
  expect(at(now - 5)).toBe(true)
  expect(at(now + 2, true)).toBe(true)
  expect(at(0)).toBe(false)
  const old = message({ deviceTime: now - rememberMs - 1, deviceID: 8 })
  expect(repeats.mayBeOld(old)).toBe(true)
  // What was kept while a device was away comes in its order: only the first is looked for.
  expect(repeats.mayBeOld(message({ deviceTime: now - rememberMs, deviceID: 8 }))).toBe(false)
})

test('devices do not share what they said', () => {
  const repeats = make()
  const ours = message({ token: 'a' })
  const yours = message({ token: 'a', deviceID: 8 })
  expect(repeats.isRepeat(ours, print(ours))).toBe(false)
  expect(repeats.isRepeat(yours, print(yours))).toBe(false)
})

test('after two windows it is forgotten, and what could not be stored is no repeat', () => {
  const repeats = make()
  const up = message({ token: 'a' })
  repeats.isRepeat(up, print(up))
  repeats.forget(7, print(up))
  expect(repeats.isRepeat(up, print(up))).toBe(false)
  for (let i = 0; i < 2; i++) {
    now += rememberMs + 1
    const other = message({ token: `other ${i}` })
    repeats.isRepeat(other, print(other))
  }
  const later = message({ token: 'a' })
  expect(repeats.isRepeat(later, print(later))).toBe(false)
})

test('after a start the journal is asked once a device, and its messages count', async () => {
  const repeats = make(now - 1000)
  const up = message({ token: 'a' })
  known = [storedOf(up)]
  await repeats.recall(7, mine)
  expect(repeats.recall(7, session('next'))).toBeUndefined()
  expect(asked).toBe(1)
  expect(repeats.isRepeat(up, print(up))).toBe(true)
})

test('a server that runs for longer than the window asks nobody', () => {
  const repeats = make(now - rememberMs - 1)
  expect(repeats.recall(7, mine)).toBeUndefined()
  expect(asked).toBe(0)
})

test('what the store refused may be in the journal all the same, so it is asked', async () => {
  const repeats = make(now - rememberMs - 1)
  const up = message({ token: 'a' })
  await repeats.recall(7, mine)
  repeats.isRepeat(up, print(up))
  repeats.forget(7, print(up))
  known = [storedOf(up)]
  await repeats.recall(7, mine)
  expect(asked).toBe(1)
  expect(repeats.isRepeat(up, print(up))).toBe(true)
  expect(repeats.recall(7, mine)).toBeUndefined()
})
