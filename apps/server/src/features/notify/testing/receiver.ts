/** A real HTTP server that keeps what it was sent and answers as the test says. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: string
}

export type Reply = (response: ServerResponse, received: Received) => void

export interface Receiver {
  url: string
  port: number
  received: Received[]
  /** How requests from now on are answered. */
  reply: Reply
  close(): Promise<void>
}

export const answerJson =
  (value: unknown, status = 200): Reply =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(value))
  }

export async function openReceiver(reply: Reply = answerJson({ ok: true })): Promise<Receiver> {
  const receiver: Receiver = { url: '', port: 0, received: [], reply, close: async () => {} }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const one: Received = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    }
    receiver.received.push(one)
    receiver.reply(response, one)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  receiver.port = (server.address() as AddressInfo).port
  receiver.url = `http://127.0.0.1:${receiver.port}`
  receiver.close = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return receiver
}
