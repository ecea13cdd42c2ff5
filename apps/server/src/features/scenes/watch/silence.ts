/**
 * "No data for N minutes" (noReport). Every device that was heard has one place in a timer and is looked at once in its
 * N minutes; what memory says is then held against what every server writes (last-heard.ts). So neither a million rows
 * are read every few seconds nor does a device fall silent that reports elsewhere. Several servers share the devices.
 */
import type { Loop } from '#background/loop.ts'
import type { Common } from '#common-deps.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import type { Fact } from '../engine/engine-types.ts'
import { type DueTimer, makeDueTimer } from './due-timer.ts'
import type { HoldStore } from './hold-store.ts'
import { pagesOfHeard, readHeard } from './last-heard.ts'
import type { SceneIndex } from './scene-index.ts'
import { makeServerShare, type ServerShare } from './server-share.ts'
import type { Entry } from './trigger-bucket.ts'

/** About 300 bytes each, 300 MB when full (scaling.md "算一算"). */
const mostWatched = 1_000_000
const rowsAtOnce = 2_000
/** With several servers: devices that only the others hear. */
const readAgainMs = 60_000

/** The same question asked by any number of triggers. */
interface Watch {
  id: string
  productID: string
  /** '': any property or event. */
  dataID: string
  silenceMs: number
  entries: Entry[]
  /** The devices that the triggers name; undefined: some trigger means all of the product or a group. */
  names: ReadonlySet<string> | undefined
  devices: Map<number, Watched>
  loadedAt: number
}

interface Watched {
  watch: Watch
  device: DeviceRef
  heardAt: number
  /** It is in the timer; else it is silent, and was told. */
  armed: boolean
}

export interface SilenceDeps extends Common<'db' | 'clock' | 'log' | 'background'> {
  index: SceneIndex
  store: HoldStore
  serverID: string
  alone: boolean
  selects(entry: Entry, device: DeviceRef): boolean
  judge(entry: Entry, fact: Fact): void
  /** Resolves when there is room for more firings. */
  room(): Promise<void>
}

const questionOf = ({ trigger }: Entry) => `${trigger.productID}/${trigger.dataID}/${trigger.silenceMs}`
const isSame = (one: Entry, other: Entry) => one.key === other.key && one.scene.rev === other.scene.rev
const isWatched = (one: Watched) => one.watch.devices.get(one.device.deviceID) === one

export class Silence {
  readonly #deps: SilenceDeps
  readonly #products = new Map<string, Watch[]>()
  readonly #timer: DueTimer<Watched>
  readonly #share: ServerShare
  #watched = 0
  #due: Watched[] = []
  #running: Promise<void> | undefined
  #loading: Loop | undefined
  #stopped = true

  constructor(deps: SilenceDeps) {
    this.#deps = deps
    this.#share = makeServerShare(deps)
    this.#timer = makeDueTimer(
      deps.clock,
      (one) => this.#dueNow(one),
      (one) => isWatched(one) && one.armed,
    )
  }

  /** The timer: it was heard meanwhile, or the database is asked. */
  #dueNow(one: Watched) {
    if (!isWatched(one)) return
    const silentAt = one.heardAt + one.watch.silenceMs
    if (silentAt > this.#deps.clock.now()) this.#timer.add(silentAt, one)
    else {
      this.#due.push(one)
      this.#wake()
    }
  }

  #arm(one: Watched) {
    one.armed = true
    this.#timer.add(one.heardAt + one.watch.silenceMs, one)
  }

  #hear(watch: Watch, device: DeviceRef, at: number) {
    const known = watch.devices.get(device.deviceID)
    if (known) {
      if (at > known.heardAt) known.heardAt = at
      if (!known.armed && at >= known.heardAt) this.#arm(known)
      return
    }
    if (this.#watched >= mostWatched || watch.names?.has(device.deviceName) === false) return
    this.#watched++
    const { productID, deviceName, deviceID } = device
    const one: Watched = { watch, device: { productID, deviceName, deviceID }, heardAt: at, armed: false }
    watch.devices.set(deviceID, one)
    this.#arm(one)
  }

  #forget({ watch, device }: Watched) {
    if (watch.devices.delete(device.deviceID)) this.#watched--
  }

  /** Silences that a trigger has fired for already. */
  async #readFired({ entries }: Watch, silent: Watched[]): Promise<Set<string>> {
    const since = new Map(silent.map((one) => [one.device.deviceID, one.heardAt]))
    const scenes = entries.map(({ scene }) => scene.sceneID)
    const fired = await this.#deps.store.firedOf(scenes, [...since.keys()])
    return new Set(fired.filter((one) => one.firedAt > (since.get(one.deviceID) ?? 0)).map((one) => one.id))
  }

  #tell(one: Watched, fired: Set<string>) {
    const { index, clock, selects, judge } = this.#deps
    const { watch, device, heardAt: since } = one
    one.armed = false
    for (const entry of watch.entries) {
      const id = `${entry.scene.sceneID}/${entry.trigger.no}/${device.deviceID}`
      if (fired.has(id) || index.entry(entry.key) !== entry || !selects(entry, device)) continue
      judge(entry, { kind: 'silence', device, at: clock.now(), since, dataID: watch.dataID, traceID: '' })
    }
  }

  /** @param at when it was heard last; undefined: it is deleted, or nothing of it is stored any more */
  #isSilent(one: Watched, at: number | undefined): boolean {
    if (at === undefined) this.#forget(one)
    if (at === undefined) return false
    one.heardAt = Math.max(one.heardAt, at)
    const isSilent = one.heardAt + one.watch.silenceMs <= this.#deps.clock.now()
    if (!isSilent) this.#arm(one)
    return isSilent
  }

  async #look(watch: Watch, list: Watched[]) {
    const ids = list.map((one) => one.device.deviceID)
    const known = await readHeard(this.#deps.db, watch, ids)
    const silent = list.filter((one) => isWatched(one) && this.#isSilent(one, known.get(one.device.deviceID)))
    if (silent.length === 0) return
    const fired = await this.#readFired(watch, silent)
    for (const one of silent) this.#tell(one, fired)
    await this.#deps.room()
  }

  async #run() {
    while (this.#due.length > 0 && !this.#stopped) {
      const first = this.#due[0]?.watch
      const list = this.#due.filter((one) => one.watch === first).slice(0, rowsAtOnce)
      const taken = new Set(list)
      this.#due = this.#due.filter((one) => !taken.has(one))
      if (!first) return
      try {
        await this.#look(first, list)
      } catch (error) {
        this.#deps.log.warn({ err: error }, 'silent devices could not be looked for, trying again')
        for (const one of list) this.#timer.add(this.#deps.clock.now() + 5_000, one)
      }
    }
  }

  #wake() {
    this.#running ??= new Promise<void>((resolve) => setImmediate(resolve))
      .then(() => this.#run())
      .finally(() => {
        this.#running = undefined
        if (this.#due.length > 0 && !this.#stopped) this.#wake()
      })
  }

  /**
   * Devices that spoke before this server was there, or to another one.
   * @param isFirst later those are left out that only send events: who hears them knows them
   */
  async #load(watch: Watch, isFirst: boolean) {
    const pages = { withEvents: isFirst, size: rowsAtOnce, share: this.#share }
    for await (const page of pagesOfHeard(this.#deps.db, watch, pages)) {
      if (this.#stopped) return
      for (const { deviceID, deviceName, at } of page) {
        const before = watch.devices.get(deviceID)?.heardAt ?? 0
        if (at > before) this.#hear(watch, { productID: watch.productID, deviceName, deviceID }, at)
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  /** A server came or went: devices of others are left to them, and those that are ours now are read. */
  async #takeShare() {
    if (!(await this.#share.refresh())) return
    for (const watch of [...this.#products.values()].flat()) {
      watch.loadedAt = 0
      for (const one of [...watch.devices.values()]) if (!this.#share.has(one.device.deviceID)) this.#forget(one)
    }
  }

  async #loadNew() {
    await this.#takeShare()
    const limit = this.#deps.alone ? 0 : this.#deps.clock.now() - readAgainMs
    for (const watch of [...this.#products.values()].flat()) {
      if (watch.loadedAt > limit || this.#stopped) continue
      const isFirst = watch.loadedAt === 0
      watch.loadedAt = this.#deps.clock.now()
      try {
        await this.#load(watch, isFirst)
      } catch (error) {
        watch.loadedAt = 0
        this.#deps.log.warn({ err: error }, 'when devices reported last could not be read, trying again')
      }
    }
  }

  #makeWatch(id: string, entries: Entry[], old: Watch | undefined): Watch {
    const { productID, dataID, silenceMs } = (entries[0] as Entry).trigger
    const fixed = entries.every(({ trigger }) => trigger.selector === 'fixed')
    const names = fixed ? new Set(entries.flatMap(({ trigger }) => [...trigger.names])) : undefined
    const isNew = entries.some((entry) => !old?.entries.some((one) => isSame(one, entry)))
    const devices = old?.devices ?? new Map<number, Watched>()
    const loadedAt = isNew ? 0 : (old?.loadedAt ?? 0)
    const watch: Watch = { id, productID, dataID, silenceMs, entries, names, devices, loadedAt }
    for (const one of devices.values()) {
      one.watch = watch
      // A trigger that is new asks about devices that are silent already.
      if (isNew && !one.armed) this.#arm(one)
    }
    return watch
  }

  /** Scenes changed: the same question keeps what is known. */
  refresh() {
    const before = new Map([...this.#products.values()].flat().map((watch) => [watch.id, watch]))
    this.#products.clear()
    this.#watched = 0
    for (const [id, entries] of Map.groupBy(this.#deps.index.silences(), questionOf)) {
      const watch = this.#makeWatch(id, entries, before.get(id))
      this.#products.set(watch.productID, [...(this.#products.get(watch.productID) ?? []), watch])
      this.#watched += watch.devices.size
    }
    this.#loading?.wake()
  }

  /** For each message: cheap when nobody asks. */
  heard(device: DeviceRef, values: Record<string, unknown> | undefined) {
    const watches = this.#products.get(device.productID)
    if (!watches) return
    const now = this.#deps.clock.now()
    // Who only sends events is found in no other way than by being heard.
    if (values !== undefined && !this.#share.has(device.deviceID)) return
    for (const watch of watches) {
      if (watch.dataID === '' || (values !== undefined && Object.hasOwn(values, watch.dataID)))
        this.#hear(watch, device, now)
    }
  }

  /** Who is silent says nothing that would ask again when conditions did not hold. */
  askAgain(isOpen: (entry: Entry, device: DeviceRef) => boolean) {
    for (const watch of [...this.#products.values()].flat()) {
      const entries = watch.entries.filter(({ scene }) => scene.conditions.length > 0)
      if (entries.length === 0) continue
      for (const one of watch.devices.values())
        if (!one.armed && entries.some((entry) => isOpen(entry, one.device))) this.#due.push(one)
    }
    if (this.#due.length > 0) this.#wake()
  }

  start() {
    this.#stopped = false
    const load = { name: 'scenes.silence', everyMs: readAgainMs / 6, run: () => this.#loadNew() }
    this.#loading = this.#deps.background.every(load)
  }

  async stop() {
    this.#stopped = true
    this.#timer.stop()
    await this.#running
    await this.#loading?.stop()
  }

  get size() {
    return this.#watched
  }
}
