/** The routes of commands over a real database; the edges (broker, journal, notices) are the test's own. */
import type { DataOf, Endpoint } from '@ithings/contract/endpoint.ts'
import { importTsl } from '@ithings/contract/features/thing-model.ts'
import { pino } from 'pino'
import { expect } from 'vitest'
import { PendingReplies, type RequestKind } from '#downlink/pending-replies.ts'
import { makeMemoryBus } from '#engines/memory-bus/memory-bus.ts'
import { makeScriptRunner } from '#engines/script-vm/script-runner.ts'
import { activate, makeDevice, makeProduct } from '#features/devices/testing/make-devices.ts'
import { makeProductCache } from '#features/products/door.ts'
import { mount } from '#http/route.ts'
import { makeHttpServer } from '#http/server.ts'
import type { Broker, Session } from '#ports/broker.ts'
import type { EventMap } from '#ports/event-bus.ts'
import type { Journal, JournalEntry } from '#ports/journal.ts'
import type { Signal } from '#ports/signal.ts'
import type { World } from '#testing/world.ts'
import { makeCommandsDeps } from '../commands-deps.ts'
import { replied } from '../replied.ts'
import { commandsRoutes } from '../routes.ts'

export const lampModel = {
  properties: [
    { identifier: 'power', name: '开关', define: { type: 'bool', mapping: { 0: '关', 1: '开' } }, isUseShadow: true },
    {
      identifier: 'level',
      name: '亮度',
      define: { type: 'int', min: '0', max: '100', start: '0', step: '5', unit: '%' },
      isUseShadow: true,
    },
    {
      identifier: 'hue',
      name: '色温',
      define: { type: 'float', min: '0', max: '10', start: '0', step: '0.1', unit: '' },
    },
    { identifier: 'mode', name: '模式', define: { type: 'enum', mapping: { 1: '日', 2: '夜' } } },
    {
      identifier: 'temp',
      name: '温度',
      mode: 'r',
      define: { type: 'float', min: '-50', max: '100', start: '0', step: '0.1', unit: '' },
    },
    { identifier: 'note', name: '备注', define: { type: 'string', max: '64' }, isUseShadow: true },
  ],
  actions: [
    {
      identifier: 'blink',
      name: '闪烁',
      dir: 'down',
      input: [
        {
          identifier: 'times',
          name: '次数',
          define: { type: 'int', min: '1', max: '9', start: '1', step: '1', unit: '' },
        },
      ],
      output: [{ identifier: 'done', name: '完成', define: { type: 'bool', mapping: { 0: '否', 1: '是' } } }],
    },
    { identifier: 'help', name: '求助', dir: 'up', input: [], output: [] },
  ],
}

export interface Published {
  topic: string
  payload: string | Uint8Array
  /** When it is JSON. */
  message: Record<string, unknown>
}

const read = (payload: string | Uint8Array): Record<string, unknown> => {
  try {
    return JSON.parse(String(payload))
  } catch {
    return {}
  }
}

/** Takes everything, as a broker does whose devices have persistent sessions. */
function makeStandInBroker() {
  const published: Published[] = []
  const sessions = new Map<string, Session>()
  const state = { refuses: false }
  const broker: Pick<Broker, 'publish' | 'sessionOf'> = {
    async publish(topic, payload) {
      if (state.refuses) throw new Error('the broker is closed')
      published.push({ topic, payload, message: read(payload) })
    },
    sessionOf: (productID, deviceName) => sessions.get(`${productID}/${deviceName}`),
  }
  return { broker, published, sessions, state }
}

/** Keeps what is handed to it. */
function makeListJournal() {
  const entries: JournalEntry[] = []
  let seq = 0
  const journal: Journal = {
    nextSeq: () => ++seq,
    append: async (entry) => void entries.push(entry),
    waiting: 0,
  }
  return { journal, entries }
}

/** Nobody hears of changes, so nothing is remembered. */
const deafSignal: Signal = {
  send: async () => {},
  on: () => {},
  hear: () => () => {},
  onGap: () => {},
  connected: false,
  doubt() {},
  start: async () => {},
  stop: async () => {},
}

export interface CallAnswer<E extends Endpoint> {
  status: number
  code: number
  msg: string
  data: DataOf<E>
}

export async function openCommandsServer(world: World, { timeoutMs = 30_000 } = {}) {
  const { broker, published, sessions, state } = makeStandInBroker()
  const { journal, entries } = makeListJournal()
  const scripts = makeScriptRunner()
  const { db, clock } = world
  const log = pino({ level: 'silent' })
  const bus = makeMemoryBus((error) => {
    throw error
  })
  const done: Array<EventMap['command.done']> = []
  const shadows: Array<EventMap['shadow.changed']> = []
  bus.on('command.done', (event) => void done.push(event))
  bus.on('shadow.changed', (event) => void shadows.push(event))
  const pending = new PendingReplies(clock)
  const products = makeProductCache({ db, scripts, signal: deafSignal })
  const deps = makeCommandsDeps({
    db,
    clock,
    log,
    bus,
    signal: deafSignal,
    broker,
    journal,
    scripts,
    products,
    pending,
    timeoutMs,
  })

  const http = await makeHttpServer({ log, trustProxy: false, corsOrigins: [], tls: undefined })
  const user = { userID: 1, userName: 'operator', role: 1, sid: 'sid', language: 'zh' as const }
  for (const route of commandsRoutes(deps)) {
    mount(http, route, { identify: async () => ({ user }), allows: async () => true })
  }
  await http.ready()

  const call = async <E extends Endpoint>(endpoint: E, body: unknown): Promise<CallAnswer<E>> => {
    const response = await http.inject({ method: 'POST', url: endpoint.path, payload: body as object })
    const { code, msg, data } = response.json()
    return { status: response.statusCode, code, msg, data }
  }

  return {
    deps,
    call,
    published,
    sessions,
    broker: state,
    entries,
    done,
    shadows,
    /** Waits for the message and answers it as the corridor does: the reply is stored, the history told, the caller woken. */
    async answer(kind: RequestKind, said: { code?: number; msg?: string; data?: unknown } = {}, after = 0) {
      await expect.poll(() => published.length).toBeGreaterThan(after)
      const { message, topic } = published[after] as Published
      const [productID = '', deviceName = ''] = topic.split('/').slice(-2)
      const deviceID = await deviceIDOf(world, { productID, deviceName })
      return this.reply(deviceID, { token: String(message.clientToken), kind, ...said })
    },
    reply(deviceID: number, said: { token: string; kind: RequestKind; code?: number; msg?: string; data?: unknown }) {
      const reply = { code: 200, msg: '', data: undefined, ...said }
      const request = pending.settle(deviceID, reply)
      if (request) {
        replied(deps, deviceID, reply, false)
        pending.confirm(deviceID, reply.token)
      }
      return request
    },
    async close() {
      pending.close()
      await http.close()
      await scripts.stop()
    },
  }
}
export type CommandsServer = Awaited<ReturnType<typeof openCommandsServer>>

export async function deviceIDOf(world: World, key: { productID: string; deviceName: string }): Promise<number> {
  const row = await world.db
    .selectFrom('device')
    .select('device_id')
    .where('product_id', '=', key.productID)
    .where('device_name', '=', key.deviceName)
    .executeTakeFirstOrThrow()
  return row.device_id
}

export async function makeLampProduct(world: World, fields: Parameters<typeof makeProduct>[1] = {}): Promise<string> {
  const productID = await makeProduct(world, fields)
  await world.asAdmin(importTsl, { productID, tsl: JSON.stringify(lampModel) })
  return productID
}

export async function makeLamp(world: World, productID: string, online = true) {
  const key = await makeDevice(world, productID)
  await activate(world, key, online)
  return { ...key, deviceID: await deviceIDOf(world, key) }
}
