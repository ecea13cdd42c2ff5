/**
 * The load generator, a process of its own: many connections that publish QoS 1, closed loop (a window of
 * unacknowledged messages each) or open loop (a given rate, whatever comes back). Frames are written by hand, because a
 * whole MQTT client a connection would measure itself. Reads its orders as JSON on standard input, prints results as
 * JSON lines.
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
  /** Open loop: messages that could not be offered because a connection had too many unacknowledged. */
  heldBack: number
}

const mostUnacknowledged = 1_000

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

class LoadClient {
  readonly socket: Socket
  readonly topic: Buffer
  private nextID = 1
  private left: Buffer = Buffer.alloc(0)
  readonly sentAt = new Map<number, number>()
  private readonly onAck: (client: LoadClient, took: number) => void
  private signedIn: (() => void) | undefined

  constructor(port: number, topic: string, onAck: (client: LoadClient, took: number) => void) {
    this.topic = field(topic)
    this.onAck = onAck
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true })
    this.socket.on('data', (chunk: Buffer) => this.read(chunk))
    this.socket.on('error', (error) => {
      console.error(`connection lost: ${error.message}`)
      process.exitCode = 1
    })
  }

  signIn(frame: Buffer): Promise<void> {
    this.socket.write(frame)
    return new Promise((resolve) => {
      this.signedIn = resolve
    })
  }

  /** Only CONNACK and PUBACK come: four bytes each. */
  private read(chunk: Buffer): void {
    const data = this.left.length > 0 ? Buffer.concat([this.left, chunk]) : chunk
    let at = 0
    for (; at + 4 <= data.length; at += 4) {
      if (data[at] === 0x20) {
        if (data[at + 3] !== 0) throw new Error(`sign-in refused: ${data[at + 3]}`)
        this.signedIn?.()
      } else if (data[at] === 0x40) {
        const id = data.readUInt16BE(at + 2)
        const sent = this.sentAt.get(id)
        this.sentAt.delete(id)
        if (sent !== undefined) this.onAck(this, performance.now() - sent)
      } else throw new Error(`unexpected packet ${data[at]}`)
    }
    this.left = data.subarray(at)
  }

  publish(): void {
    const id = this.nextID
    this.nextID = id === 65_535 ? 1 : id + 1
    this.sentAt.set(id, performance.now())
    this.socket.write(publishFrame(this.topic, id, Date.now()))
  }
}

const percentile = (sorted: Float64Array, part: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0

async function run(orders: LoadOrders): Promise<LoadResult> {
  const { port, clients: wanted, window, rate } = orders
  let measuring = false
  const times: number[] = []
  let heldBack = 0
  const acked = (client: LoadClient, took: number) => {
    if (measuring) times.push(took)
    if (window !== undefined) client.publish()
  }
  const clients: LoadClient[] = []
  // A few hundred at a time: the platform bounds how many may come in one second.
  for (let first = 0; first < wanted.length; first += 200) {
    const some = wanted.slice(first, first + 200)
    await Promise.all(
      some.map(async (one) => {
        const client = new LoadClient(port, one.topic, acked)
        clients.push(client)
        await client.signIn(connectFrame(one))
      }),
    )
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
  let timer: NodeJS.Timeout | undefined
  if (window !== undefined) for (const client of clients) for (let i = 0; i < window; i++) client.publish()
  else timer = offer(clients, rate ?? 0, () => heldBack++)
  await new Promise((resolve) => setTimeout(resolve, orders.warmUpMs))
  measuring = true
  const begun = performance.now()
  await new Promise((resolve) => setTimeout(resolve, orders.measureMs))
  measuring = false
  const seconds = (performance.now() - begun) / 1000
  clearInterval(timer)
  for (const client of clients) client.socket.destroy()
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
  }
}

/** Spread evenly over the connections, in steps of five milliseconds. */
function offer(clients: LoadClient[], rate: number, hold: () => void): NodeJS.Timeout {
  const begun = performance.now()
  let sent = 0
  let next = 0
  return setInterval(() => {
    const due = Math.floor(((performance.now() - begun) / 1000) * rate)
    for (; sent < due; sent++) {
      const client = clients[next++ % clients.length]
      if (!client || client.sentAt.size >= mostUnacknowledged) hold()
      else client.publish()
    }
  }, 5)
}

const orders = JSON.parse(await text(process.stdin)) as LoadOrders
process.stdout.write(`${JSON.stringify(await run(orders))}\n`)
process.exit()
