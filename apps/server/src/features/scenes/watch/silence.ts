/**
 * "No data for N minutes" (noReport). Every device that was heard has one place in a timer and is looked at once in its
 * N minutes; what memory says is then held against what every server writes (last-heard.ts). So neither a million rows
 * are read every few seconds nor does a device fall silent that reports elsewhere.
 */
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import type { Fact } from '../engine/engine-types.ts'
import { makeDueTimer } from './due-timer.ts'
import { pagesOfHeard, readHeard } from './last-heard.ts'
import type { SceneIndex } from './scene-index.ts'
import type { Entry } from './trigger-bucket.ts'

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
  /** undefined: not only devices that are named. */
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

export interface SilenceKit {
  db: Db
  clock: Clock
  log: Logger
  index: SceneIndex
  alone: boolean
  selects(entry: Entry, device: DeviceRef): boolean
  judge(entry: Entry, fact: Fact): void
  /** Resolves when there is room for more firings. */
  room(): Promise<void>
}

const questionOf = ({ trigger }: Entry) => `${trigger.productID}/${trigger.dataID}/${trigger.silenceMs}`
const isSame = (one: Entry, other: Entry) => one.key === other.key && one.scene.rev === other.scene.rev

export function makeSilence({ db, clock, log, index, alone, selects, judge, room }: SilenceKit) {
  const products = new Map<string, Watch[]>()
  let watched = 0
  let due: Watched[] = []
  let running: Promise<void> | undefined
  let loading: Promise<void> | undefined
  let again: NodeJS.Timeout | undefined
  let stopped = true

  const isWatched = (one: Watched) => one.watch.devices.get(one.device.deviceID) === one
  const timer = makeDueTimer<Watched>(
    clock,
    (one) => {
      if (!isWatched(one)) return
      if (one.heardAt + one.watch.silenceMs > clock.now()) timer.add(one.heardAt + one.watch.silenceMs, one)
      else {
        due.push(one)
        wake()
      }
    },
    (one) => isWatched(one) && one.armed,
  )

  const arm = (one: Watched) => {
    one.armed = true
    timer.add(one.heardAt + one.watch.silenceMs, one)
  }

  const hear = (watch: Watch, device: DeviceRef, at: number) => {
    const known = watch.devices.get(device.deviceID)
    if (known) {
      if (at > known.heardAt) known.heardAt = at
      if (!known.armed && at >= known.heardAt) arm(known)
      return
    }
    if (watched >= mostWatched || watch.names?.has(device.deviceName) === false) return
    watched++
    const { productID, deviceName, deviceID } = device
    const one: Watched = { watch, device: { productID, deviceName, deviceID }, heardAt: at, armed: false }
    watch.devices.set(deviceID, one)
    arm(one)
  }

  const forget = ({ watch, device }: Watched) => {
    if (watch.devices.delete(device.deviceID)) watched--
  }

  /** Silences that a trigger has fired for already. */
  const readFired = async (watch: Watch, silent: Watched[]): Promise<Set<string>> => {
    const ids = silent.map((one) => one.device.deviceID)
    const scenes = watch.entries.map(({ scene }) => scene.sceneID)
    const { rows } = await sql<{ scene_id: number; trigger_no: number; device_id: number; fired_at: number }>`
      select scene_id, trigger_no, device_id, fired_at from scene_hold join scene on scene.id = scene_hold.scene_id
      where scene_id = any (${scenes}::integer[]) and device_id = any (${ids}::bigint[])
        and scene.rev = scene_hold.rev and fired_at is not null`.execute(db)
    const since = new Map(silent.map((one) => [one.device.deviceID, one.heardAt]))
    return new Set(
      rows
        .filter((row) => row.fired_at > (since.get(row.device_id) ?? 0))
        .map((row) => `${row.scene_id}/${row.trigger_no}/${row.device_id}`),
    )
  }

  const tell = (one: Watched, fired: Set<string>) => {
    const { watch, device, heardAt: since } = one
    one.armed = false
    for (const entry of watch.entries) {
      const id = `${entry.scene.sceneID}/${entry.trigger.no}/${device.deviceID}`
      if (fired.has(id) || index.entry(entry.key) !== entry || !selects(entry, device)) continue
      judge(entry, { kind: 'silence', device, at: clock.now(), since, dataID: watch.dataID, traceID: '' })
    }
  }

  const look = async (watch: Watch, list: Watched[]) => {
    const ids = list.map((one) => one.device.deviceID)
    const known = await readHeard(db, watch, ids)
    const silent = list.filter((one) => {
      if (!isWatched(one)) return false
      const at = known.get(one.device.deviceID)
      // Deleted, or nothing of it is stored any more.
      if (at === undefined) forget(one)
      else if (at > one.heardAt) one.heardAt = at
      if (at === undefined || one.heardAt + watch.silenceMs > clock.now()) {
        if (at !== undefined) arm(one)
        return false
      }
      return true
    })
    if (silent.length === 0) return
    const fired = await readFired(watch, silent)
    for (const one of silent) tell(one, fired)
    await room()
  }

  const run = async () => {
    while (due.length > 0 && !stopped) {
      const first = due[0]?.watch
      const list = due.filter((one) => one.watch === first).slice(0, rowsAtOnce)
      const taken = new Set(list)
      due = due.filter((one) => !taken.has(one))
      if (!first) return
      try {
        await look(first, list)
      } catch (error) {
        log.warn({ err: error }, 'silent devices could not be looked for, trying again')
        for (const one of list) timer.add(clock.now() + 5_000, one)
      }
    }
  }

  const wake = () => {
    running ??= new Promise<void>((resolve) => setImmediate(resolve)).then(run).finally(() => {
      running = undefined
      if (due.length > 0 && !stopped) wake()
    })
  }

  /**
   * Devices that spoke before this server was there, or to another one.
   * @param isFirst later those are left out that only send events: who hears them knows them
   */
  const load = async (watch: Watch, isFirst: boolean) => {
    for await (const page of pagesOfHeard(db, watch, { withEvents: isFirst, size: rowsAtOnce })) {
      if (stopped) return
      for (const { deviceID, deviceName, at } of page) {
        const before = watch.devices.get(deviceID)?.heardAt ?? 0
        if (at > before) hear(watch, { productID: watch.productID, deviceName, deviceID }, at)
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  const loadNew = async () => {
    const limit = alone ? 0 : clock.now() - readAgainMs
    for (const watch of [...products.values()].flat()) {
      if (watch.loadedAt > limit || stopped) continue
      const isFirst = watch.loadedAt === 0
      watch.loadedAt = clock.now()
      try {
        await load(watch, isFirst)
      } catch (error) {
        watch.loadedAt = 0
        log.warn({ err: error }, 'when devices reported last could not be read, trying again')
      }
    }
  }

  const loadSoon = () => {
    loading ??= loadNew().finally(() => {
      loading = undefined
    })
  }

  const makeWatch = (id: string, entries: Entry[], old: Watch | undefined): Watch => {
    const { productID, dataID, silenceMs } = (entries[0] as Entry).trigger
    const fixed = entries.every(({ trigger }) => trigger.selector === 'fixed')
    const names = fixed ? new Set(entries.flatMap(({ trigger }) => [...trigger.names])) : undefined
    const isNew = entries.some((entry) => !old?.entries.some((one) => isSame(one, entry)))
    const devices = old?.devices ?? new Map<number, Watched>()
    const loadedAt = isNew ? 0 : (old?.loadedAt ?? 0)
    const watch: Watch = { id, productID, dataID, silenceMs, entries, names, devices, loadedAt }
    for (const one of devices.values()) {
      one.watch = watch
      // Somebody new asks about those who are silent already.
      if (isNew && !one.armed) arm(one)
    }
    return watch
  }

  return {
    /** Scenes changed: the same question keeps what is known. */
    refresh() {
      const before = new Map([...products.values()].flat().map((watch) => [watch.id, watch]))
      products.clear()
      watched = 0
      for (const [id, entries] of Map.groupBy(index.silences(), questionOf)) {
        const watch = makeWatch(id, entries, before.get(id))
        products.set(watch.productID, [...(products.get(watch.productID) ?? []), watch])
        watched += watch.devices.size
      }
      if (!stopped) loadSoon()
    },
    /** For each message: cheap when nobody asks. */
    heard(device: DeviceRef, values: Record<string, unknown> | undefined) {
      const watches = products.get(device.productID)
      if (!watches) return
      const now = clock.now()
      for (const watch of watches) {
        if (watch.dataID === '' || (values !== undefined && Object.hasOwn(values, watch.dataID)))
          hear(watch, device, now)
      }
    },
    /** Who is silent says nothing that would ask again when conditions did not hold. */
    askAgain(isOpen: (entry: Entry, device: DeviceRef) => boolean) {
      for (const watch of [...products.values()].flat()) {
        const entries = watch.entries.filter(({ scene }) => scene.conditions.length > 0)
        if (entries.length === 0) continue
        for (const one of watch.devices.values())
          if (!one.armed && entries.some((entry) => isOpen(entry, one.device))) due.push(one)
      }
      if (due.length > 0) wake()
    },
    start() {
      stopped = false
      loadSoon()
      again = setInterval(loadSoon, readAgainMs / 6).unref()
    },
    async stop() {
      stopped = true
      clearInterval(again)
      timer.stop()
      await running
      await loading
    },
    get size() {
      return watched
    },
  }
}
