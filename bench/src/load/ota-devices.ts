/**
 * Thousands of devices that take firmware, a process of their own: they tell their version, note every push with its
 * time, and answer with progress and the new version, or with a failure. Orders and answers go by the process's own
 * channel.
 */
import { connect, type Socket } from 'node:net'
import {
  connectFrame,
  pubackFrame,
  publishFrame,
  readPackets,
  readPublish,
  type SignInWords,
  subscribeFrame,
} from './mqtt-frames.ts'

export interface FleetOrders {
  port: number
  productID: string
  version: string
  clients: Array<SignInWords & { deviceName: string }>
  /** Devices of each ten that fail at a version. */
  failing: Record<string, number>
  /** From the push to the end of the upgrade. */
  upgradeMs: number
}

/** When which device was pushed a version; ms since the epoch. */
export interface PushSeen {
  version: string
  device: number
  at: number
}

export type FleetAnswer = { ready: number } | { pushes: PushSeen[] }

/** The platform bounds how many may come in one second. */
const together = 200
const pauseMs = 250
const keepaliveSeconds = 3_600

interface Offer {
  id: unknown
  version: string
}

class FirmwareDevice {
  private readonly socket: Socket
  private readonly orders: FleetOrders
  private readonly index: number
  private readonly own: string
  private left: Buffer = Buffer.alloc(0)
  private nextID = 1
  private running = ''
  private subscribed: (() => void) | undefined

  constructor(orders: FleetOrders, index: number) {
    this.orders = orders
    this.index = index
    this.own = `${orders.productID}/${this.words.deviceName}`
    this.socket = connect({ port: orders.port, host: '127.0.0.1', noDelay: true })
    this.socket.on('data', (chunk: Buffer) => this.read(chunk))
    this.socket.on('error', (error) => {
      console.error(`connection lost: ${error.message}`)
      process.exitCode = 1
    })
  }

  private get words(): FleetOrders['clients'][number] {
    return this.orders.clients[this.index] as FleetOrders['clients'][number]
  }

  signIn(): Promise<void> {
    this.socket.write(connectFrame(this.words, keepaliveSeconds))
    return new Promise((resolve) => {
      this.subscribed = resolve
    })
  }

  private read(chunk: Buffer): void {
    const { packets, left } = readPackets(this.left.length > 0 ? Buffer.concat([this.left, chunk]) : chunk)
    this.left = left
    for (const packet of packets) {
      if (packet.kind === 2) {
        if (packet.body[1] !== 0) throw new Error(`sign-in refused: ${packet.body[1]}`)
        this.socket.write(subscribeFrame([`$ota/down/upgrade/${this.own}`]))
      } else if (packet.kind === 9) {
        this.tell('report', { version: this.orders.version, module: 'default' })
        this.subscribed?.()
      } else if (packet.kind === 3) {
        const { id, payload } = readPublish(packet)
        if (id > 0) this.socket.write(pubackFrame(id))
        const { data } = JSON.parse(payload.toString()) as { data?: Offer }
        if (data?.version) this.take(data)
      }
    }
  }

  private tell(type: 'report' | 'progress', params: Record<string, unknown>): void {
    const method = type === 'report' ? 'reportInfo' : 'progress'
    const id = this.nextID++
    const payload = JSON.stringify({ method, clientToken: `${this.index}-${id}`, params })
    this.socket.write(publishFrame(`$ota/up/${type}/${this.own}`, id, payload))
  }

  private take({ id, version }: Offer): void {
    pushes.push({ version, device: this.index, at: Date.now() })
    if (this.running === version) return
    this.running = version
    const fails = this.index % 10 < (this.orders.failing[version] ?? 0)
    const step = (share: number, work: () => void) => setTimeout(work, this.orders.upgradeMs * share)
    step(0.5, () => this.tell('progress', { id, step: 50, desc: '下载中', module: 'default' }))
    step(1, () => {
      if (fails) this.tell('progress', { id, step: -1, desc: '写入失败', module: 'default' })
      else this.tell('report', { version, module: 'default' })
    })
  }
}

const pushes: PushSeen[] = []
const answer = (said: FleetAnswer) => process.send?.(said)

async function begin(orders: FleetOrders): Promise<void> {
  for (let first = 0; first < orders.clients.length; first += together) {
    const count = Math.min(together, orders.clients.length - first)
    await Promise.all(Array.from({ length: count }, (_, i) => new FirmwareDevice(orders, first + i).signIn()))
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  answer({ ready: orders.clients.length })
}

process.on('message', (order: { begin: FleetOrders } | { tell: 'pushes' }) => {
  if ('begin' in order) void begin(order.begin)
  else answer({ pushes })
})
process.on('disconnect', () => process.exit())
