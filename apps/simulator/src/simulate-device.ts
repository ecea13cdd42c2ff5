/** A virtual device on a real connection: reports, events, answers, upgrades, faults, and sub-devices of a gateway. */
import { parseTopic } from '@ithings/contract/device/topics.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { Connection } from './connection.ts'
import { type Counts, type DeviceIdentity, noCounts, type SimulateOptions, type SubDevice } from './options.ts'
import { type Cancel, makeScheduler, type Scheduler } from './scheduler.ts'
import { SubDevices } from './sub-devices.ts'
import { makeUnit, type Unit } from './unit.ts'

export interface SimulateParts {
  /** mqtt://, mqtts://, ws:// or wss:// */
  url: string
  device: DeviceIdentity
  model: ThingModel
  options?: SimulateOptions
  /** Makes it a gateway. */
  children?: readonly SubDevice[]
}

let shared: Scheduler | undefined

export class SimulatedDevice {
  readonly device: DeviceIdentity
  readonly #options: SimulateOptions
  readonly #scheduler: Scheduler
  readonly #counts = noCounts()
  readonly #unit: Unit
  readonly #family: SubDevices
  readonly #connection: Connection
  /** Faults and absences to come. */
  #trouble: Cancel[] = []
  #stopped = false

  constructor({ url, device, model, options = {}, children = [] }: SimulateParts) {
    shared ??= makeScheduler()
    const scheduler = options.scheduler ?? shared
    const counts = this.#counts
    const send = (topic: string, payload: string) => this.#connection.send(topic, payload)
    const away = (after: number, ms: number) => this.#plan(after, () => this.#leave(ms))
    this.device = device
    this.#options = options
    this.#scheduler = scheduler
    this.#unit = makeUnit({ device, model, options, scheduler, counts, send, away })
    this.#family = new SubDevices({
      gateway: this.#unit.thing,
      children: children.map((child) => ({
        device: child.device,
        unit: makeUnit({ ...child, options: { ...child.options, now: options.now }, scheduler, counts, send }),
      })),
      connection: () => this.#connection,
      scheduler,
      counts,
    })
    this.#connection = new Connection({
      url,
      device,
      options,
      scheduler,
      random: this.#unit.thing.random.fork('connection'),
      counts,
      topics: [...this.#unit.topics, ...(children.length > 0 ? this.#family.topics : [])],
      ready: () => this.#begin(),
      lost: () => this.#quiet(),
      heard: (name, payload) => this.#heard(name, payload),
    })
    this.#connection.open()
  }

  get connected(): boolean {
    return this.#connection.connected
  }

  get counts(): Readonly<Counts> {
    return this.#counts
  }

  /** Sub-devices that are bound and online. */
  get childrenOnline(): number {
    return this.#family.online
  }

  /** Of its main module. */
  get version(): string | undefined {
    return this.#unit.version
  }

  /** By module. */
  get versions(): Readonly<Record<string, string>> {
    return this.#unit.versions
  }

  /** The remote configuration that it got last. */
  get configuration(): string | undefined {
    return this.#unit.configuration
  }

  /** What it would report now. */
  values(): Record<string, unknown> {
    return this.#unit.thing.values()
  }

  report(params?: Record<string, unknown>): void {
    this.#unit.thing.report(params)
  }

  postEvent(identifier: string, params?: Record<string, unknown>): void {
    this.#unit.thing.postEvent(identifier, params)
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#family.leave()
    this.#quiet()
    await this.#connection.close()
  }

  #begin(): void {
    this.#unit.start()
    this.#family.ready()
    this.#planTrouble()
  }

  #quiet(): void {
    for (const cancel of this.#trouble) cancel()
    this.#trouble = []
    this.#unit.stop()
    this.#family.lost()
  }

  #heard(name: string, payload: Uint8Array): void {
    const topic = parseTopic(name)
    if (topic && !this.#family.heard(topic, payload)) this.#unit.heard(topic, payload)
  }

  #plan(ms: number, work: () => void): void {
    this.#trouble.push(this.#scheduler.after(ms, work))
  }

  /** Faults of the connection, from the moment it stands. */
  #planTrouble(): void {
    const { dropEveryMs, flap } = this.#options.faults ?? {}
    const { random } = this.#unit.thing
    if (dropEveryMs) this.#plan(dropEveryMs * random.between(0.5, 1.5), () => this.#connection.breakOff())
    if (flap) this.#plan(flap.upMs, () => this.#leave(flap.downMs))
  }

  /** Signs off and comes back; Infinity: it does not. */
  #leave(ms: number): void {
    this.#family.leave()
    void this.#connection.close().then(() => {
      if (!this.#stopped && ms !== Number.POSITIVE_INFINITY) this.#plan(ms, () => this.#connection.open())
    })
  }
}

/** Begins at once and goes on until `stop`. */
export const simulateDevice = (parts: SimulateParts): SimulatedDevice => new SimulatedDevice(parts)
