/**
 * The load generator, a process of its own: many connections that publish QoS 1, closed loop (a window of
 * unacknowledged messages each) or open loop (a given rate, whatever comes back). Frames are written by hand, because a
 * whole MQTT client a connection would measure itself. Reads its orders as JSON on standard input, prints what
 * it does and what it found as JSON lines.
 */
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { connectFrame, field, remaining, type SignInWords } from './mqtt-frames.ts'

export interface LoadOrders {
  port: number
  clients: Array<SignInWords & { topic: string }>
  /** Closed loop: unacknowledged messages a connection. */
  window?: number
  /** Open loop: messages a second over all connections. */
  rate?: number
  warmUpMs: number
  measureMs: number
}

export interface LoadResult {
  acknowledged: number
  seconds: number
  perSecond: number
  /** ms from writing to PUBACK. */
  p50: number
  p95: number
  p99: number
  worst: number
  /** Open loop: messages not offered because a connection had too many unacknowledged or the generator came too late. */
  heldBack: number
  /** Connections that the other side ended; each came back. */
  lost: number
}

/** One line each on standard output. */
export type LoadLine = { phase: 'begun' | 'over' } | { result: LoadResult }

const mostUnacknowledged = 1_000
const together = 200
const pauseMs = 250
const pollMs = 20
const comeBackMs = 1_000
const stepMs = 5
const mostCatchUpMs = 100

const say = (line: LoadLine) => process.stdout.write(`${JSON.stringify(line)}\n`)

let token = 0
function publishFrame(topic: Buffer, id: number, at: number): Buffer {
  const n = ++token
  const payload = `{"method":"report","clientToken":"${n}","timestamp":${at},"params":{"level":${(n % 600) / 100},"flow":${n % 997},"pump_on":${n & 1}}}`
  const bytes = Buffer.byteLength(payload)
  const length = remaining(topic.length + 2 + bytes)
  const frame = Buffer.allocUnsafe(1 + length.length + topic.length + 2 + bytes)
  frame[0] = 0x32
  length.copy(frame, 1)
  topic.copy(frame, 1 + length.length)
  frame.writeUInt16BE(id, 1 + length.length + topic.length)
  frame.write(payload, 3 + length.length + topic.length)
  return frame
}

/** What all clients of this process share. */
interface Load {
  port: number
  onAck(client: LoadClient, took: number): void
  /** Signed in: for the first time, or again after its connection was lost. */
  onReady(client: LoadClient): void
  onLost(): void
}

class LoadClient {
  /** Unanswered messages of the present connection. */
  readonly sentAt = new Map<number, number>()
  private readonly load: Load
  private readonly signInFrame: Buffer
  private readonly topic: Buffer
  private socket: Socket
  private ready = false
  private ended = false
  private nextID = 1
  private left: Buffer = Buffer.alloc(0)

  constructor(load: Load, words: SignInWords & { topic: string }) {
    this.load = load
    this.signInFrame = connectFrame(words)
    this.topic = field(words.topic)
    this.socket = this.open()
  }

  private open(): Socket {
    const socket = connect({ port: this.load.port, host: '127.0.0.1', noDelay: true })
    socket.on('data', (chunk: Buffer) => this.read(chunk))
    // 'close' follows.
    socket.on('error', () => undefined)
    socket.on('close', () => this.lost())
    socket.write(this.signInFrame)
    return socket
  }

  /** As a device would: it comes back a moment later and goes on. What was unanswered stays so. */
  private lost(): void {
    if (this.ended) return
    this.load.onLost()
    this.ready = false
    this.sentAt.clear()
    this.left = Buffer.alloc(0)
    setTimeout(() => {
      if (!this.ended) this.socket = this.open()
    }, comeBackMs)
  }

  /** Only CONNACK and PUBACK come: four bytes each. */
  private read(chunk: Buffer): void {
    const data = this.left.length > 0 ? Buffer.concat([this.left, chunk]) : chunk
    let at = 0
    for (; at + 4 <= data.length; at += 4) {
      if (data[at] === 0x20) {
        if (data[at + 3] !== 0) throw new Error(`sign-in refused: ${data[at + 3]}`)
        this.ready = true
        this.load.onReady(this)
      } else if (data[at] === 0x40) {
        const id = data.readUInt16BE(at + 2)
        const sent = this.sentAt.get(id)
        this.sentAt.delete(id)
        if (sent !== undefined) this.load.onAck(this, performance.now() - sent)
      } else throw new Error(`unexpected packet ${data[at]}`)
    }
    this.left = data.subarray(at)
  }

  get mayPublish(): boolean {
    return this.ready && this.sentAt.size < mostUnacknowledged
  }

  publish(): void {
    const id = this.nextID
    this.nextID = id === 65_535 ? 1 : id + 1
    this.sentAt.set(id, performance.now())
    this.socket.write(publishFrame(this.topic, id, Date.now()))
  }

  end(): void {
    this.ended = true
    this.socket.destroy()
  }
}

const percentile = (sorted: Float64Array, part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** A few hundred at a time: the platform bounds how many may come in one second. */
async function signInAll(load: Load, wanted: LoadOrders['clients']): Promise<LoadClient[]> {
  const clients: LoadClient[] = []
  for (let first = 0; first < wanted.length; first += together) {
    const some = wanted.slice(first, first + together).map((one) => new LoadClient(load, one))
    clients.push(...some)
    // One that was sent away comes back by itself.
    while (some.some((client) => !client.mayPublish)) await wait(pollMs)
    await wait(pauseMs)
  }
  return clients
}

async function run(orders: LoadOrders): Promise<LoadResult> {
  const { window, rate } = orders
  let measuring = false
  const times: number[] = []
  let heldBack = 0
  let lost = 0
  let begin = false
  const fill = (client: LoadClient) => {
    if (!begin || !client.mayPublish) return
    for (let i = 0; i < (window ?? 0); i++) client.publish()
  }
  const load: Load = {
    port: orders.port,
    onAck(client, took) {
      if (measuring) times.push(took)
      if (window !== undefined) client.publish()
    },
    onReady: fill,
    onLost: () => lost++,
  }
  const clients = await signInAll(load, orders.clients)
  begin = true
  for (const client of clients) fill(client)
  const timer = window === undefined ? offer(clients, rate ?? 0, (messages) => (heldBack += messages)) : undefined
  await wait(orders.warmUpMs)
  measuring = true
  say({ phase: 'begun' })
  const begun = performance.now()
  await wait(orders.measureMs)
  measuring = false
  const seconds = (performance.now() - begun) / 1000
  say({ phase: 'over' })
  clearInterval(timer)
  for (const client of clients) client.end()
  const sorted = Float64Array.from(times).sort()
  return {
    acknowledged: times.length,
    seconds,
    perSecond: times.length / seconds,
    p50: percentile(sorted, 0.5),
    p95: percentile(sorted, 0.95),
    p99: percentile(sorted, 0.99),
    worst: sorted.at(-1) ?? 0,
    heldBack,
    lost,
  }
}

/**
 * Spread evenly over the connections, in steps of five milliseconds. A generator that gets no processor for a while does
 * not make up for all of it at once: that would be another load, and it would hear of nothing meanwhile.
 */
function offer(clients: LoadClient[], rate: number, hold: (messages: number) => void): NodeJS.Timeout {
  const begun = performance.now()
  const mostAtOnce = (rate * mostCatchUpMs) / 1000
  let offered = 0
  let next = 0
  return setInterval(() => {
    const due = Math.floor(((performance.now() - begun) / 1000) * rate) - offered
    offered += due
    const now = Math.min(due, mostAtOnce)
    let held = due - now
    for (let i = 0; i < now; i++) {
      const client = clients[next++ % clients.length]
      if (client?.mayPublish) client.publish()
      else held++
    }
    hold(held)
  }, stepMs)
}

const orders = JSON.parse(await text(process.stdin)) as LoadOrders
say({ result: await run(orders) })
process.exit()
