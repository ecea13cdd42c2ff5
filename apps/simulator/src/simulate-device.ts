/** A virtual device on a real connection: reports, events, answers, upgrades, faults, and sub-devices of a gateway. */
import { parseTopic } from '@ithings/contract/device/topics.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { makeConnection } from './connection.ts'
import { type Counts, type DeviceIdentity, noCounts, type SimulateOptions, type SubDevice } from './options.ts'
import { type Cancel, makeScheduler, type Scheduler } from './scheduler.ts'
import { makeSubDevices } from './sub-devices.ts'
import { makeThing } from './thing.ts'
import { makeUpgrade } from './upgrade.ts'

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
  readonly version: string | undefined
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
  const thing = makeThing({ device, model, options, scheduler, counts, send })
  const upgrade = makeUpgrade(thing, options, scheduler, counts, send)
  const family = makeSubDevices(
    thing,
    children.map((child) => ({
      device: child.device,
      thing: makeThing({
        device: child.device,
        model: child.model,
        options: { ...child.options, now: options.now },
        scheduler,
        counts,
        send,
      }),
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
    if (flap) {
      plan(flap.upMs, () => {
        family.leave()
        void connection.close().then(() => stopped || plan(flap.downMs, () => connection.open()))
      })
    }
  }

  const quiet = () => {
    for (const cancel of trouble) cancel()
    trouble = []
    thing.stop()
    upgrade.stop()
    family.lost()
  }

  const connection = makeConnection({
    url,
    device,
    options,
    scheduler,
    random: thing.random.fork('connection'),
    counts,
    topics: [...thing.topics, ...upgrade.topics, ...(children.length > 0 ? family.topics : [])],
    ready() {
      upgrade.reportVersion()
      thing.start()
      family.ready()
      planTrouble()
    },
    lost: quiet,
    heard(name, payload) {
      const topic = parseTopic(name)
      if (!topic || family.heard(topic, payload)) return
      if (topic.head === 'ota' && topic.type === 'upgrade') upgrade.heard(payload)
      else thing.heard(topic, payload)
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
      return upgrade.version
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
