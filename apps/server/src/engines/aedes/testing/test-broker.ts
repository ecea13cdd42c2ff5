/** A real broker on a free port with hooks that a test can bend, and real clients. */
import { once } from 'node:events'
import { connect as connectSocket, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import mqtt, { type IClientOptions, type MqttClient } from 'mqtt'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import type { BrokerHooks, LoginAnswer, Session, UplinkPacket } from '#ports/broker.ts'
import { systemClock } from '#ports/clock.ts'
import type { SessionStore } from '#ports/session-store.ts'
import { said } from '#testing/said.ts'
import { AedesBroker } from '../broker.ts'
import type { BrokerLimits } from '../limits.ts'
import type { ListenOptions } from '../listeners.ts'

export const productID = '254pwnKQsvK'

export interface TestBroker {
  broker: AedesBroker
  port: number
  url: string
  messages: UplinkPacket[]
  /** connected, disconnected, refused, subscribed and limited, as text. */
  events: string[]
  /** What the message hook does; by default it resolves at once. */
  onMessage: (packet: UplinkPacket) => Promise<void>
  /** Children that have left their gateway. */
  unbound: Set<string>
  metric(name: string, labels?: Record<string, string>): Promise<number>
  /** @param prepare before anything has come */
  client(deviceName: string, options?: IClientOptions, prepare?: (client: MqttClient) => void): Promise<MqttClient>
  /** Each byte as one character. */
  received(client: MqttClient): string[]
  /** How a try to connect ended. */
  attempt(deviceName: string, options?: IClientOptions): Promise<'connected' | 'refused' | 'closed'>
  raw(): Promise<Socket>
  stop(): Promise<void>
}

const login = async (clientID: string, { idOf = () => 1, nextEpoch }: TestBrokerOptions): Promise<LoginAnswer> => {
  const registering = clientID.startsWith('register&')
  const name = registering ? clientID.slice('register&'.length) : clientID
  const deviceName = name.slice(productID.length).replace(/^&/, '')
  if (!name.startsWith(productID) || deviceName.startsWith('bad')) {
    return { ok: false, returnCode: 4, code: 1000004, msg: 'no' }
  }
  if (deviceName.startsWith('slow')) await sleep(100)
  return {
    ok: true,
    device: {
      productID,
      deviceName,
      deviceID: idOf(deviceName),
      deviceType: deviceName.startsWith('gateway') ? 2 : 1,
    },
    registering,
    epoch: await nextEpoch?.(),
  }
}

const connectOptions = (deviceName: string): IClientOptions => ({
  clientId: `${productID}${deviceName}`,
  username: 'any',
  password: 'any',
  protocolVersion: 4,
  reconnectPeriod: 0,
  connectTimeout: 120_000,
})

const noSessions: SessionStore = {
  open: async ({ deviceID, clean }) =>
    clean ? undefined : { holder: { deviceID, epoch: 0 }, filters: [], waits: false },
  subscribe: async () => {},
  unsubscribe: async () => {},
  keep: async () => undefined,
  queue: async () => {},
  take: async () => ({ messages: [], more: false }),
  takeUnsent: async () => ({ messages: [], more: false }),
  acknowledged: () => {},
  left: () => {},
  listenersOf: async () => [],
  onQueued: () => {},
  count: async () => ({ sessions: 0, queued: 0 }),
}

export interface TestBrokerOptions {
  standstillMs?: number
  limits?: Partial<BrokerLimits>
  /** Without it no session outlives its connection. */
  sessions?: SessionStore
  idOf?: (deviceName: string) => number
  nextEpoch?: () => Promise<number | undefined>
  tls?: { cert: Buffer; key: Buffer }
  proxy?: ListenOptions['proxy']
}

export async function startTestBroker(options: TestBrokerOptions = {}): Promise<TestBroker> {
  const events: string[] = []
  const messages: UplinkPacket[] = []
  const metrics = new Registry()
  const clients: MqttClient[] = []
  const received = new WeakMap<MqttClient, string[]>()
  const sockets: Socket[] = []
  const name = (session: Session | undefined) => session?.device.deviceName ?? '-'
  const hooks: BrokerHooks = {
    login: ({ clientID }) => login(clientID, options),
    maySubscribe: (session, topic) =>
      topic.startsWith('$') &&
      topic.includes('/down/') &&
      (topic.endsWith(`/${session.device.productID}/${session.device.deviceName}`) ||
        (session.device.deviceType === 2 &&
          topic.includes('/child') &&
          !test.unbound.has(topic.slice(topic.lastIndexOf('/') + 1)))),
    async message(packet) {
      messages.push(packet)
      await test.onMessage(packet)
    },
    connected: (session) => void events.push(`connected ${name(session)}`),
    disconnected: (session, reason, takenOver) =>
      void events.push(`disconnected ${name(session)} ${said(reason)}${takenOver ? ' (taken over)' : ''}`),
    subscribed: (session, topic, allowed) => void events.push(`subscribed ${name(session)} ${topic} ${allowed}`),
    refused: ({ clientID, ip }, { code }) => void events.push(`refused ${clientID} ${ip} ${code}`),
    limited: (limit, session, _, { clientID }) =>
      void events.push(`limited ${limit} ${session || clientID === '' ? name(session) : clientID}`),
  }
  const broker = new AedesBroker({
    hooks,
    standstillMs: options.standstillMs,
    log: pino({ level: 'silent' }),
    metrics,
    clock: systemClock,
    ...(options.limits ? { limits: options.limits } : {}),
    sessions: options.sessions ?? noSessions,
  })
  await broker.start({ host: '127.0.0.1', port: 0, tlsPort: 0, tls: options.tls, proxy: options.proxy })
  const { port } = broker.address()
  const test: TestBroker = {
    broker,
    port,
    url: `mqtt://127.0.0.1:${port}`,
    messages,
    events,
    onMessage: async () => {},
    unbound: new Set(),
    async metric(metricName, labels = {}) {
      const { values } = (await metrics.getSingleMetric(metricName)?.get()) ?? { values: [] }
      const wanted = Object.entries(labels)
      return values.find((one) => wanted.every(([key, value]) => one.labels[key] === value))?.value ?? 0
    },
    attempt(deviceName, attemptOptions = {}) {
      const client = mqtt.connect(test.url, { ...connectOptions(deviceName), ...attemptOptions })
      clients.push(client)
      return new Promise((resolve) => {
        client.on('connect', () => resolve('connected'))
        client.on('error', () => resolve('refused'))
        client.on('close', () => resolve('closed'))
      })
    },
    async client(deviceName, clientOptions = {}, prepare = () => {}) {
      const client = mqtt.connect(test.url, { ...connectOptions(deviceName), ...clientOptions })
      const texts: string[] = []
      received.set(client, texts)
      // From the start: what waited for the device comes together with its CONNACK.
      prepare(client)
      client.on('message', (_topic, payload) => texts.push(payload.toString('latin1')))
      await new Promise<void>((resolve, reject) => {
        client.once('connect', () => resolve())
        client.once('error', reject)
      })
      client.on('error', () => {})
      clients.push(client)
      return client
    },
    received: (client) => received.get(client) ?? [],
    async raw() {
      const socket = connectSocket(port, '127.0.0.1')
      socket.on('error', () => {})
      sockets.push(socket)
      await once(socket, 'connect')
      // Without a reader the end of the connection would not be noticed.
      return socket.resume()
    },
    async stop() {
      for (const client of clients) client.end(true)
      for (const socket of sockets) socket.destroy()
      await broker.stop()
    },
  }
  return test
}

export const upTopic = (deviceName: string) => `$thing/up/property/${productID}/${deviceName}`
export const downTopic = (deviceName: string) => `$thing/down/property/${productID}/${deviceName}`

/** Resolves when the connection has ended, with an error or without. */
export const ended = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.closed) resolve()
    else socket.once('close', () => resolve())
  })

/** Resolves when the client's connection has ended. */
export const closed = (client: MqttClient): Promise<void> =>
  new Promise((resolve) => {
    if (!client.connected) resolve()
    else client.once('close', () => resolve())
  })

export const nextMessage = (client: MqttClient): Promise<string> =>
  new Promise((resolve) => {
    client.once('message', (_topic, payload) => resolve(payload.toString()))
  })

const frame = (first: number, body: Buffer): Buffer => {
  const length: number[] = []
  for (let rest = body.length; ; rest >>= 7) {
    length.push(rest > 127 ? (rest & 127) | 128 : rest)
    if (rest <= 127) break
  }
  return Buffer.concat([Buffer.from([first, ...length]), body])
}

const field = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes])
}

export const connectPacket = (deviceName: string, keepAlive = 60): Buffer =>
  frame(0x10, Buffer.concat([field('MQTT'), Buffer.from([4, 2, 0, keepAlive]), field(`${productID}${deviceName}`)]))

/** QoS 0. */
export const publishPacket = (deviceName: string, payload: string): Buffer =>
  frame(0x30, Buffer.concat([field(upTopic(deviceName)), Buffer.from(payload)]))
