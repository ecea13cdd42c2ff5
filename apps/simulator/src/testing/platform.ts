/** A broker with the platform's rules of sign-in, and the platform's side of the talk, for tests. */

import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { signText } from '@ithings/contract/device/credentials.ts'
import { parseTopic } from '@ithings/contract/device/topics.ts'
import { readTslText } from '@ithings/contract/thing-model/tsl.ts'
import { Aedes, type Client } from 'aedes'
import { expect } from 'vitest'

export const secret = 'AAECAwQFBgcICQoLDA0ODxAREhM='
export const otherSecret = 'ExIREA8ODQwLCgkIBwYFBAMCAQA='

export interface Uplink {
  clientID: string
  topic: string
  text: string
  /** undefined: no JSON. */
  body: Record<string, unknown> | undefined
  at: number
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export async function openPlatform() {
  const broker = await Aedes.createBroker()
  const uplinks: Uplink[] = []
  const subscriptions = new Map<string, string[]>()
  const connects: string[] = []
  const goodbyes: string[] = []
  let onUplink: (uplink: Uplink) => void = () => undefined
  broker.authenticate = (client, userName, password, done) => {
    const [token = '', method = ''] = String(password).split(';')
    const good = method === 'hmacsha256' && token === signText(String(userName), secret, 'hmacsha256')
    if (good && String(userName).startsWith(`${client.id};12010126;`)) return done(null, true)
    done(Object.assign(new Error('refused'), { returnCode: 4 }) as never, false)
  }
  const clients = new Map<string, Client>()
  broker.on('client', (client) => {
    connects.push(client.id)
    clients.set(client.id, client)
  })
  broker.on('clientDisconnect', ({ id }) => void goodbyes.push(id))
  broker.on('subscribe', (list, { id }) => {
    subscriptions.set(id, [...(subscriptions.get(id) ?? []), ...list.map(({ topic }) => topic)])
  })
  broker.on('publish', (packet, client) => {
    if (!client) return
    const text = String(packet.payload)
    const uplink = { clientID: client.id, topic: packet.topic, text, body: parse(text), at: performance.now() }
    uplinks.push(uplink)
    onUplink(uplink)
  })
  const server = createServer(broker.handle)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const send = (topic: string, body: object) =>
    new Promise<void>((resolve, reject) =>
      broker.publish(
        { cmd: 'publish', topic, payload: JSON.stringify(body), qos: 1, dup: false, retain: false },
        (error) => (error ? reject(error) : resolve()),
      ),
    )
  return {
    url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    uplinks,
    subscriptions,
    connects,
    goodbyes,
    send,
    /** Answers on the same head and type, downwards. */
    reply: (uplink: Uplink, body: object) => send(uplink.topic.replace('/up/', '/down/'), body),
    onUplink: (listener: (uplink: Uplink) => void) => {
      onUplink = listener
    },
    on: (type: string, method?: string) =>
      uplinks.filter(
        ({ topic, body }) =>
          `${parseTopic(topic)?.head}/${parseTopic(topic)?.type}` === type && (!method || body?.method === method),
      ),
    /** The network fails. */
    cut: (clientID: string) => clients.get(clientID)?.conn.destroy(),
    async close() {
      await new Promise<void>((resolve) => broker.close(() => resolve()))
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
export type Platform = Awaited<ReturnType<typeof openPlatform>>

const number = (max: string, step = '1') => ({ type: 'int', min: '0', max, start: '0', step })
const bool = { type: 'bool', mapping: { 0: '关', 1: '开' } }

const tsl = JSON.stringify({
  properties: [
    { identifier: 'power', name: '开关', mode: 'rw', isUseShadow: true, define: bool },
    { identifier: 'brightness', name: '亮度', mode: 'rw', isUseShadow: true, define: number('100', '5') },
    {
      identifier: 'temp',
      name: '温度',
      mode: 'r',
      define: { type: 'float', min: '-40', max: '80', step: '0.1', unit: '℃' },
    },
  ],
  events: [
    {
      identifier: 'overheat',
      name: '过热',
      type: 'alert',
      params: [{ identifier: 'level', name: '级别', define: number('3') }],
    },
  ],
  actions: [
    {
      identifier: 'blink',
      name: '闪烁',
      dir: 'down',
      input: [{ identifier: 'times', name: '次数', define: number('10') }],
      output: [{ identifier: 'done', name: '完成', define: bool }],
    },
  ],
})

export function lampModel() {
  const { model, issues } = readTslText(tsl)
  expect(issues).toEqual([])
  return model
}
