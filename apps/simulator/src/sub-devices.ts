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

export interface SubDevices {
  readonly topics: string[]
  /** @returns whether the message was meant for a sub-device or for the binding */
  heard(topic: DeviceTopic, payload: Uint8Array): boolean
  ready(): void
  lost(): void
  /** Says goodbye for all of them. */
  leave(): void
  readonly online: number
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

export function makeSubDevices(
  gateway: Thing,
  children: readonly Child[],
  connection: () => Connection,
  scheduler: Scheduler,
  counts: Counts,
): SubDevices {
  const byKey = new Map(children.map((child) => [keyOf(child.device), child]))
  const online = new Set<Child>()
  let again: Cancel | undefined
  const topic = (way: 'up' | 'down', type: string) => buildTopic({ head: 'gateway', way, type, ...gateway.device })

  const say = (type: string, method: string, devices: object[]) =>
    connection().send(
      topic('up', type),
      JSON.stringify({ method, clientToken: gateway.nextToken(), timestamp: gateway.now(), payload: { devices } }),
    )

  const names = (list: Iterable<Child>) =>
    Array.from(list, ({ device: { productID, deviceName } }) => ({ productID, deviceName }))

  function bind(): void {
    const missing = children.filter((child) => !online.has(child))
    if (missing.length === 0) return
    const seconds = Math.floor(gateway.now() / 1000)
    const draw = () => Math.floor(gateway.random.between(1, 1_000_000))
    say(
      'operation',
      'bind',
      missing.map(({ device }) => bindEntry(device, draw(), seconds)),
    )
    // The reply may be lost, or say no for now.
    again = scheduler.after(bindAgainMs, bind)
  }

  function bring(list: Child[]): void {
    const fresh = list.filter((child) => !online.has(child))
    if (fresh.length === 0) return
    for (const child of fresh) online.add(child)
    connection().subscribe(fresh.flatMap(({ unit }) => unit.topics))
    say('status', 'online', names(fresh))
    for (const { unit } of fresh) unit.start()
  }

  function drop(list: Child[]): void {
    for (const child of list) {
      if (!online.delete(child)) continue
      child.unit.stop()
      connection().unsubscribe(child.unit.topics)
    }
  }

  const known = (devices: unknown): Child[] =>
    (Array.isArray(devices) ? (devices as DeviceName[]) : []).flatMap((device) => byKey.get(keyOf(device)) ?? [])

  function hearGateway(payload: Uint8Array): void {
    const message = readMessage(payload)
    if (message?.code !== undefined) message.code === 200 ? counts.accepted++ : counts.refused++
    const told = message?.payload as { devices?: unknown; status?: unknown } | undefined
    const method = message && methodOf(message.method)
    if (method === 'bind' && message?.code === 200) {
      bring(known(told?.devices))
      if (online.size === children.length) again?.()
    }
    // 1: bound, 2: unbound, by whomever.
    if (method === 'change') told?.status === 2 ? drop(known(told.devices)) : bring(known(told?.devices))
  }

  return {
    topics: ['operation', 'status'].map((type) => topic('down', type)),
    heard(parsed, payload) {
      if (parsed.head === 'gateway') {
        hearGateway(payload)
        return true
      }
      const child = byKey.get(keyOf(parsed))
      child?.unit.heard(parsed, payload)
      return child !== undefined
    },
    ready: bind,
    lost() {
      again?.()
      for (const { unit } of online) unit.stop()
      online.clear()
    },
    leave() {
      if (online.size > 0) say('status', 'offline', names(online))
    },
    get online() {
      return online.size
    },
  }
}
