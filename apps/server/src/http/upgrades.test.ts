import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import { fromOwnPages, installUpgrades } from './upgrades.ts'

const http = createServer()
const server = new WebSocketServer({ noServer: true })
let host: string
beforeAll(async () => {
  const open = fromOwnPages(
    (request, socket, head) => server.handleUpgrade(request, socket, head, (ws) => ws.close()),
    ['https://console.example'],
  )
  installUpgrades(http, { '/live': open })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(http.address() as AddressInfo).port}`
})
afterAll(() => void http.close())

const dial = (path: string, origin: string | undefined): Promise<number> =>
  new Promise((resolve) => {
    const ws = new WebSocket(`ws://${host}${path}`, { ...(origin !== undefined && { origin }) })
    ws.once('open', () => resolve(101))
    ws.once('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
    ws.on('error', () => undefined)
  })

test('programs, pages of the own host and of allowed origins may listen, others are refused', async () => {
  for (const origin of [undefined, `http://${host}`, `https://${host}`, 'https://console.example']) {
    expect(await dial('/live', origin)).toBe(101)
  }
  for (const origin of ['https://evil.example', `http://${host}.evil.example`, 'http://127.0.0.1:1', 'null']) {
    expect(await dial('/live', origin)).toBe(403)
  }
  expect(await dial('/nothing', undefined)).toBe(404)
})
