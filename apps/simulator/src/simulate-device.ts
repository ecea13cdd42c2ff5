/** A virtual device on a real connection: reports, events, answers, upgrades, faults, and sub-devices of a gateway. */
import { parseTopic } from '@ithings/contract/device/topics.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { makeConnection } from './connection.ts'
import { type Counts, type DeviceIdentity, noCounts, type SimulateOptions, type SubDevice } from './options.ts'
import { type Cancel, makeScheduler, type Scheduler } from './scheduler.ts'
import { makeSubDevices } from './sub-devices.ts'
import { makeUnit } from './unit.ts'

export interface SimulateParts {
  /** mqtt://, mqtts://, ws:// or wss:// */
  url: string
  device: DeviceIdentity
  model: ThingModel
  options?: SimulateOptions
  /** Makes it a gateway. */
  children?: readonly SubDevice[]
}

export interface SimulatedDevice {
  readonly device: DeviceIdentity
  readonly connected: boolean
  readonly counts: Readonly<Counts>
  /** Sub-devices that are bound and online. */
  readonly childrenOnline: number
  /** Of its main module, and by module. */
  readonly version: string | undefined
  readonly versions: Readonly<Record<string, string>>
  /** The remote configuration that it got last. */
  readonly configuration: string | undefined
  /** What it would report now. */
  values(): Record<string, unknown>
  report(params?: Record<string, unknown>): void
  postEvent(identifier: string, params?: Record<string, unknown>): void
  stop(): Promise<void>
}

let shared: Scheduler | undefined

/** Begins at once and goes on until `stop`. */
export function simulateDevice({ url, device, model, options = {}, children = [] }: SimulateParts): SimulatedDevice {
  shared ??= makeScheduler()
  const scheduler = options.scheduler ?? shared
  const counts = noCounts()
  const send = (topic: string, payload: string) => connection.send(topic, payload)
  const unit = makeUnit({
    device,
    model,
    options,
    scheduler,
    counts,
    send,
    away: (after, ms) => plan(after, () => leave(ms)),
  })
  const { thing } = unit
  const family = makeSubDevices(
    thing,
    children.map((child) => ({
      device: child.device,
      unit: makeUnit({ ...child, options: { ...child.options, now: options.now }, scheduler, counts, send }),
    })),
    () => connection,
    scheduler,
    counts,
  )
  let trouble: Cancel[] = []

  function plan(ms: number, work: () => void): void {
    trouble.push(scheduler.after(ms, work))
  }

  /** Faults of the connection, from the moment it stands. */
  function planTrouble(): void {
    const { dropEveryMs, flap } = options.faults ?? {}
    if (dropEveryMs) plan(dropEveryMs * thing.random.between(0.5, 1.5), () => connection.breakOff())
    if (flap) plan(flap.upMs, () => leave(flap.downMs))
  }

  /** Signs off and comes back; Infinity: it does not. */
  function leave(ms: number): void {
    family.leave()
    void connection.close().then(() => stopped || ms === Number.POSITIVE_INFINITY || plan(ms, () => connection.open()))
  }

  const quiet = () => {
    for (const cancel of trouble) cancel()
    trouble = []
    unit.stop()
    family.lost()
  }

  const connection = makeConnection({
    url,
    device,
    options,
    scheduler,
    random: thing.random.fork('connection'),
    counts,
    topics: [...unit.topics, ...(children.length > 0 ? family.topics : [])],
    ready() {
      unit.start()
      family.ready()
      planTrouble()
    },
    lost: quiet,
    heard(name, payload) {
      const topic = parseTopic(name)
      if (topic && !family.heard(topic, payload)) unit.heard(topic, payload)
    },
  })

  let stopped = false
  connection.open()
  return {
    device,
    counts,
    get connected() {
      return connection.connected
    },
    get childrenOnline() {
      return family.online
    },
    get version() {
      return unit.version
    },
    get versions() {
      return unit.versions
    },
    get configuration() {
      return unit.configuration
    },
    values: thing.values,
    report: thing.report,
    postEvent: thing.postEvent,
    async stop() {
      stopped = true
      family.leave()
      quiet()
      await connection.close()
    },
  }
}
