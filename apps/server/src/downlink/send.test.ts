import { Dialect } from '@ithings/contract/device/messages.ts'
import { topicHeads } from '@ithings/contract/device/topics.ts'
import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { makeMemoryBus } from '#engines/memory-bus/memory-bus.ts'
import { type JournalEntry, JournalKind } from '#ports/journal.ts'
import type { ScriptOutcome, ScriptRunner } from '#ports/script-runner.ts'
import { said } from '#testing/said.ts'
import { journalKindOf } from './journal-kind.ts'
import { type DownlinkDeps, type DownlinkProduct, sendRaw, sendToDevice } from './send.ts'

const device = { productID: 'P0000000001', deviceName: 'lamp', deviceID: 7 }
const plain: DownlinkProduct = { dialect: Dialect.auto, logDays: 3, script: '', functions: new Set() }
const scripted: DownlinkProduct = { ...plain, script: 'x', functions: new Set(['logUpdateDown']) }

let published: Array<{ topic: string; payload: string | Uint8Array }>
let entries: JournalEntry[]
let heard: number
let outcome: Partial<ScriptOutcome>
let storeFails: boolean
let deps: DownlinkDeps

beforeEach(() => {
  published = []
  entries = []
  heard = 0
  outcome = { ok: true, value: { short: 1 } }
  storeFails = false
  const bus = makeMemoryBus((error) => {
    throw error
  })
  bus.on('device.logged', () => void heard++)
  const runs = async () => ({ reason: '', bytes: undefined, logs: [], error: '', line: 0, milliseconds: 1, ...outcome })
  deps = {
    bus,
    log: pino({ level: 'silent' }),
    clock: { now: () => 1_700_000_000_000 },
    broker: { publish: async (topic, payload) => void published.push({ topic, payload }) },
    journal: {
      nextSeq: () => entries.length + 1,
      append: async (entry) => {
        if (storeFails) throw new Error('no database')
        entries.push(entry)
      },
      waiting: 0,
    },
    scripts: { run: runs } as unknown as ScriptRunner,
  }
})

const send = (product: DownlinkProduct) =>
  sendToDevice(deps, {
    device,
    product,
    head: 'log',
    type: 'update',
    message: { method: 'getStatusReply', token: 'a1', body: { code: 200, data: { logLevel: 2 } } },
  })

describe('a message', () => {
  test.each([
    [Dialect.auto, 'get_status_reply'],
    [Dialect.snake, 'get_status_reply'],
    [Dialect.camel, 'getStatusReply'],
  ])('is spelt by the dialect %i of its product and carries both token keys', async (dialect, method) => {
    await send({ ...plain, dialect })
    expect(published).toHaveLength(1)
    expect(published[0]?.topic).toBe('$log/down/update/P0000000001/lamp')
    expect(JSON.parse(String(published[0]?.payload))).toEqual({
      method,
      clientToken: 'a1',
      msgToken: 'a1',
      timestamp: 1_700_000_000_000,
      code: 200,
      data: { logLevel: 2 },
    })
    expect(entries).toMatchObject([{ ...device, up: false, kind: JournalKind.sdkLog, method, token: 'a1', logDays: 3 }])
    expect(heard).toBe(1)
  })

  test('goes through the script when it has the function: bytes as they are', async () => {
    outcome = { ok: true, value: [1, 2], bytes: Uint8Array.from([1, 2]) }
    await send(scripted)
    expect(published).toEqual([{ topic: '$log/down/update/custom/P0000000001/lamp', payload: Uint8Array.from([1, 2]) }])
    expect(entries).toMatchObject([{ topic: '$log/down/update/custom/P0000000001/lamp', code: 200 }])
  })

  test('goes through the script: other values as JSON', async () => {
    await send(scripted)
    expect(published[0]?.payload).toBe('{"short":1}')
  })

  test.each([
    [{ ok: false, reason: 'script', error: 'boom', line: 3 } as const, 100023, /logUpdateDown 第 3 行，boom/],
    [{ ok: false, reason: 'busy', error: '脚本引擎繁忙' } as const, 900002, /脚本引擎繁忙/],
    [{ ok: true, value: null } as const, 100023, /返回了 null/],
  ])('whose script fails is not sent, and the hub log says why', async (result, code, text) => {
    outcome = { value: undefined, ...result }
    await expect(send(scripted)).rejects.toMatchObject({ code, message: expect.stringMatching(text) })
    expect(published).toEqual([])
    expect(said(entries)).toMatchObject([{ code, msg: expect.stringMatching(text) }])
  })

  test('is out even if the hub log cannot take it', async () => {
    storeFails = true
    await send(plain)
    expect(published).toHaveLength(1)
    expect(heard).toBe(0)
  })
})

test.each([
  ['{"a": 1}', '{"a": 1}'],
  ['plain', '"plain"'],
  ['a\0b', '"a\ufffdb"'],
  ['', '""'],
])('a message by hand is published as it is; the hub log keeps JSON: %j', async (payload, content) => {
  const topic = { head: 'thing', way: 'down', type: 'property', ...device } as const
  await sendRaw(deps, { device, logDays: 1, topic, payload, method: '', token: '' })
  expect(published).toEqual([{ topic: '$thing/down/property/P0000000001/lamp', payload }])
  expect(entries).toMatchObject([{ content, kind: JournalKind.property, logDays: 1 }])
})

test('every head has its action in the hub log', () => {
  expect(topicHeads.map((head) => journalKindOf(head, 'anything'))).toEqual([
    JournalKind.thing,
    JournalKind.otaLog,
    JournalKind.config,
    JournalKind.sdkLog,
    JournalKind.shadow,
    JournalKind.gateway,
    JournalKind.ext,
  ])
  expect(journalKindOf('thing', 'action')).toBe(JournalKind.action)
  expect(journalKindOf('ext', 'ntp')).toBe(JournalKind.ntp)
})
