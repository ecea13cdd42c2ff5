/** Sub-devices of a virtual gateway (device-protocol.md 6): bound by signature, then carried by its connection. */
import { SignMethod, signText } from '@ithings/contract/device/credentials.ts'
import { methodOf } from '@ithings/contract/device/messages.ts'
import { buildTopic, type DeviceTopic } from '@ithings/contract/device/topics.ts'
import type { Connection } from './connection.ts'
import type { Counts, DeviceIdentity, DeviceName } from './options.ts'
import type { Cancel, Scheduler } from './scheduler.ts'
import { readMessage, type Thing } from './thing.ts'
import type { Unit } from './unit.ts'

export interface Child {
  device: DeviceIdentity
  unit: Pick<Unit, 'topics' | 'heard' | 'start' | 'stop'>
}

export interface SubDevicesParts {
  gateway: Thing
  children: readonly Child[]
  connection: () => Pick<Connection, 'send' | 'subscribe' | 'unsubscribe'>
  scheduler: Scheduler
  counts: Counts
}

const bindAgainMs = 10_000
const keyOf = ({ productID, deviceName }: DeviceName): string => `${productID}/${deviceName}`

/** device-protocol.md 6: the sub-device's own secret proves that the gateway holds it. */
export function bindEntry(device: DeviceIdentity, random: number, timestamp: number) {
  const { productID, deviceName, secret } = device
  const text = `${productID};${deviceName};${random};${timestamp}`
  return {
    productID,
    deviceName,
    random,
    timestamp,
    signMethod: SignMethod.sha256,
    signature: signText(text, secret, SignMethod.sha256),
  }
}

const namesOf = (list: Iterable<Child>): DeviceName[] =>
  Array.from(list, ({ device: { productID, deviceName } }) => ({ productID, deviceName }))

export class SubDevices {
  readonly topics: string[]
  readonly #parts: SubDevicesParts
  readonly #byKey: Map<string, Child>
  readonly #online = new Set<Child>()
  #again: Cancel | undefined

  constructor(parts: SubDevicesParts) {
    this.#parts = parts
    this.#byKey = new Map(parts.children.map((child) => [keyOf(child.device), child]))
    this.topics = ['operation', 'status'].map((type) => this.#topic('down', type))
  }

  get online(): number {
    return this.#online.size
  }

  /** @returns whether the message was meant for a sub-device or for the binding */
  heard(topic: DeviceTopic, payload: Uint8Array): boolean {
    if (topic.head === 'gateway') {
      this.#hearGateway(payload)
      return true
    }
    const child = this.#byKey.get(keyOf(topic))
    child?.unit.heard(topic, payload)
    return child !== undefined
  }

  /** Binds those that are not online. */
  ready(): void {
    const { children, gateway, scheduler } = this.#parts
    const missing = children.filter((child) => !this.#online.has(child))
    if (missing.length === 0) return
    const seconds = Math.floor(gateway.now() / 1000)
    const draw = () => Math.floor(gateway.random.between(1, 1_000_000))
    const entries = missing.map(({ device }) => bindEntry(device, draw(), seconds))
    this.#say('operation', 'bind', entries)
    // The reply may be lost, or say no for now.
    this.#again = scheduler.after(bindAgainMs, () => this.ready())
  }

  lost(): void {
    this.#again?.()
    for (const { unit } of this.#online) unit.stop()
    this.#online.clear()
  }

  /** Says goodbye for all of them. */
  leave(): void {
    if (this.#online.size > 0) this.#say('status', 'offline', namesOf(this.#online))
  }

  #topic(way: 'up' | 'down', type: string): string {
    return buildTopic({ head: 'gateway', way, type, ...this.#parts.gateway.device })
  }

  #say(type: string, method: string, devices: object[]): void {
    const { gateway, connection } = this.#parts
    const message = { method, clientToken: gateway.nextToken(), timestamp: gateway.now(), payload: { devices } }
    connection().send(this.#topic('up', type), JSON.stringify(message))
  }

  #hearGateway(payload: Uint8Array): void {
    const { counts, children } = this.#parts
    const message = readMessage(payload)
    if (message?.code !== undefined) message.code === 200 ? counts.accepted++ : counts.refused++
    const told = message?.payload as { devices?: unknown; status?: unknown } | undefined
    const method = message && methodOf(message.method)
    if (method === 'bind' && message?.code === 200) {
      this.#bring(this.#known(told?.devices))
      if (this.#online.size === children.length) this.#again?.()
    }
    if (method !== 'change') return
    // 1: bound, 2: unbound, by whomever.
    const concerned = this.#known(told?.devices)
    if (told?.status === 2) this.#drop(concerned)
    else this.#bring(concerned)
  }

  #known(devices: unknown): Child[] {
    const names = Array.isArray(devices) ? (devices as DeviceName[]) : []
    return names.flatMap((device) => this.#byKey.get(keyOf(device)) ?? [])
  }

  #bring(list: Child[]): void {
    const fresh = list.filter((child) => !this.#online.has(child))
    if (fresh.length === 0) return
    for (const child of fresh) this.#online.add(child)
    this.#parts.connection().subscribe(fresh.flatMap(({ unit }) => unit.topics))
    this.#say('status', 'online', namesOf(fresh))
    for (const { unit } of fresh) unit.start()
  }

  #drop(list: Child[]): void {
    for (const child of list) {
      if (!this.#online.delete(child)) continue
      child.unit.stop()
      this.#parts.connection().unsubscribe(child.unit.topics)
    }
  }
}
