/** Pumps that get hot, the place notifications go to, and the time of day: what walks about rules need around them. */
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createDevice } from '@ithings/contract/features/devices/info.ts'
import { createProduct } from '@ithings/contract/features/products.ts'
import { importTsl } from '@ithings/contract/features/thing-model.ts'
import type { Caller } from './api.ts'
import type { DeviceKey, WalkDevice } from './device.ts'

export const productID = 'PumpStation'
export const productName = '一体化预制泵站'

const common = { desc: '', required: false }
const tsl = {
  properties: [
    {
      ...common,
      identifier: 'pump_temp',
      name: '水泵温度',
      mode: 'r',
      define: { type: 'float', min: '-40', max: '150', start: '0', step: '0.1', unit: '℃' },
    },
    {
      ...common,
      identifier: 'running',
      name: '水泵运行',
      mode: 'rw',
      define: { type: 'bool', mapping: { 0: '停止', 1: '运行' } },
    },
  ],
  events: [],
  actions: [{ ...common, identifier: 'stop_pump', name: '停泵', dir: 'down', input: [], output: [] }],
}

export async function makePlant(call: Caller): Promise<void> {
  await call(createProduct, { productID, productName })
  await call(importTsl, { productID, tsl: JSON.stringify(tsl) })
}

export async function makePump(call: Caller, deviceName: string, deviceAlias: string): Promise<DeviceKey> {
  await call(createDevice, { productID, deviceName, deviceAlias })
  return { productID, deviceName }
}

/** Resolves when the platform has answered: what was reported is stored and judged. */
export async function reportTemp(pump: WalkDevice, temp: number): Promise<void> {
  const clientToken = crypto.randomUUID()
  await pump.publish('thing/property', { method: 'report', clientToken, params: { pump_temp: temp } })
  await pump.next('thing/property', (message) => message.clientToken === clientToken)
}

/** The time of day so many hours from now, as the platform's clock shows it: it shares our zone. */
export function clockAt(hours: number): string {
  const then = new Date(Date.now() + hours * 3_600_000)
  return [then.getHours(), then.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
}

export interface Call {
  headers: IncomingHttpHeaders
  body: string
}

export interface Receiver {
  url: string
  calls: Call[]
  /** Of the answers from now on. */
  status: number
  close(): void
}

/** A real HTTP server of somebody who wants to be told. */
export async function openReceiver(): Promise<Receiver> {
  const calls: Call[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer)
    } catch {
      // The walk ended in the middle of a call: nobody was told.
      response.destroy()
      return
    }
    calls.push({ headers: request.headers, body: Buffer.concat(chunks).toString('utf8') })
    response.writeHead(receiver.status).end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    calls,
    status: 200,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return receiver
}

/** As the receiver's own program would check it (the samples of the channel form). */
export function isSigned({ headers, body }: Call, secret: string): boolean {
  const time = String(headers['x-ithings-timestamp'])
  const expected = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
  return headers['x-ithings-signature'] === `sha256=${expected}` && Math.abs(Date.now() - Number(time)) < 300_000
}

/** The platform may call receivers on this machine. */
export const reachable = { WEBHOOK_ALLOW: '127.0.0.0/8' }
