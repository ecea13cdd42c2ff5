import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { TLSSocket } from 'node:tls'
import mqtt, { type IClientOptions } from 'mqtt'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { installUpgrades } from '#http/upgrades.ts'
import { downTopic, ended, productID, startTestBroker, type TestBroker, upTopic } from './testing/test-broker.ts'
import { makeTestCertificate } from './testing/test-certificate.ts'
import { makeMqttUpgrade } from './web-socket.ts'

let world: TestBroker
let http: Server | undefined
afterEach(async () => {
  await world.stop()
  http?.closeAllConnections()
  http?.close()
  http = undefined
})

const options: IClientOptions = { clientId: `${productID}lamp`, protocolVersion: 4, reconnectPeriod: 0 }

test('MQTT over TLS shows the given certificate', async () => {
  const tls = makeTestCertificate()
  world = await startTestBroker({ tls })
  const { tlsPort } = world.broker.address()
  const client = await mqtt.connectAsync(`mqtts://127.0.0.1:${tlsPort}`, { ...options, rejectUnauthorized: false })
  expect((client.stream as unknown as TLSSocket).getPeerX509Certificate()?.fingerprint256).toBe(
    new X509Certificate(tls.cert).fingerprint256,
  )
  await client.publishAsync(upTopic('lamp'), 'sealed', { qos: 1 })
  expect(world.messages[0]?.payload.toString()).toBe('sealed')
  await client.endAsync()
})

test('a stranger that speaks no TLS on the TLS port harms nobody', async () => {
  world = await startTestBroker({ tls: makeTestCertificate() })
  const socket = connect(world.broker.address().tlsPort, '127.0.0.1')
  socket.on('error', () => {})
  socket.resume().write('GET / HTTP/1.1\r\n\r\n')
  await ended(socket)
  expect(world.broker.connections).toBe(0)
})

async function serveUpgrades(): Promise<string> {
  world = await startTestBroker()
  http = createServer()
  const upgrade = makeMqttUpgrade(
    (stream, ip) => world.broker.accept(stream, ip),
    (request) => `${request.headers['x-test-address']}`,
  )
  installUpgrades(http, { '/mqtt': upgrade })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  return `ws://127.0.0.1:${(http.address() as AddressInfo).port}`
}

test('MQTT over WebSocket at /mqtt, both ways', async () => {
  const url = await serveUpgrades()
  const client = await mqtt.connectAsync(`${url}/mqtt?from=test`, {
    ...options,
    wsOptions: { headers: { 'x-test-address': '192.0.2.7' } },
  })
  await client.subscribeAsync(downTopic('lamp'), { qos: 1 })
  const large = Buffer.alloc(200_000, 'x')
  await client.publishAsync(upTopic('lamp'), large, { qos: 1 })
  expect(world.messages[0]?.payload.equals(large)).toBe(true)
  expect(world.messages[0]?.session.ip).toBe('192.0.2.7')
  const answer = new Promise((resolve) => client.once('message', (_topic, payload) => resolve(payload.toString())))
  await world.broker.publish(downTopic('lamp'), 'hello')
  expect(await answer).toBe('hello')
  client.stream.destroy()
  await expect.poll(() => world.events.at(-1)).toBe('disconnected lamp 连接中断')
})

test('text, garbage and oversized frames on the WebSocket end that connection only', async () => {
  const url = await serveUpgrades()
  for (const content of ['hello', Buffer.alloc(100), Buffer.alloc(3_000_000)]) {
    const socket = new WebSocket(`${url}/mqtt`, 'mqtt')
    await once(socket, 'open')
    socket.on('error', () => {})
    socket.send(content)
    await once(socket, 'close')
  }
  await expect.poll(() => world.broker.connections).toBe(0)
  const client = await mqtt.connectAsync(`${url}/mqtt`, options)
  await client.endAsync()
})

test('an upgrade to an unknown path is answered with 404 and closed', async () => {
  const url = await serveUpgrades()
  for (const path of ['/', '/mqtt2', '/mqtt/', '/api/v1/unknown', '/__proto__']) {
    const socket = new WebSocket(`${url}${path}`)
    const [error] = await once(socket, 'error')
    expect((error as Error).message).toContain('404')
  }
})
