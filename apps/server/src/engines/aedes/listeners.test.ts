import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readSmall } from './listeners.ts'

let server: Server
let accepted: Socket[]

beforeEach(async () => {
  accepted = []
  server = createServer({ pauseOnConnect: true }, (socket) => accepted.push(readSmall(socket)))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  for (const socket of accepted) socket.destroy()
  server.close()
})

async function open(): Promise<{ client: Socket; socket: Socket }> {
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  // A server that goes away before it has read everything resets the connection.
  client.on('error', () => {})
  await once(client, 'connect')
  await expect.poll(() => accepted.length).toBeGreaterThan(0)
  return { client, socket: accepted.at(-1) as Socket }
}

const connections = () =>
  new Promise<number>((resolve, reject) => {
    server.getConnections((error, count) => (error ? reject(error) : resolve(count)))
  })

test('of what a client sends and nobody reads only a small piece is held', async () => {
  const { client, socket } = await open()
  client.write(Buffer.alloc(1_000_000, 1))
  await once(socket, 'readable')
  expect(socket.readableLength).toBeGreaterThan(0)
  expect(socket.readableLength).toBeLessThanOrEqual(8_192)
})

test('all of it arrives in its order, and the end after it', async () => {
  const { client, socket } = await open()
  const sent = Buffer.from(Uint32Array.from({ length: 100_000 }, (_, i) => i).buffer)
  client.end(sent)
  const chunks: Buffer[] = []
  for await (const chunk of socket) chunks.push(chunk)
  expect(Buffer.concat(chunks).equals(sent)).toBe(true)
  expect(Math.max(...chunks.map((chunk) => chunk.length))).toBeLessThanOrEqual(4_096)
})

test('it answers, knows who is there, and says why it ended', async () => {
  const { client, socket } = await open()
  socket.write('pong')
  const [answer] = await once(client, 'data')
  expect(String(answer)).toBe('pong')
  expect(socket.remoteAddress).toBe('127.0.0.1')
  const failed = once(socket, 'error')
  socket.on('readable', () => socket.read())
  client.resetAndDestroy()
  expect(((await failed)[0] as NodeJS.ErrnoException).code).toBe('ECONNRESET')
})

test('the server counts it until it is closed', async () => {
  const { socket } = await open()
  expect(await connections()).toBe(1)
  socket.destroy()
  await once(socket, 'close')
  expect(await connections()).toBe(0)
  const closed = once(server, 'close')
  server.close()
  await closed
})
