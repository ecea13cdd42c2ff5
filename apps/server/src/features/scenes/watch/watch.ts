/**
 * The live watch of scenes: every stored message, every coming and going, every silence is judged after the device has
 * its reply, in the order of arrival, and what fires is handed to the runner. Nothing here throws at the corridor.
 */
import type { EventMap } from '#ports/event-bus.ts'
import { type JournalEntry, JournalKind, traceIDOf } from '#ports/journal.ts'
import type { Fact } from '../engine/engine-types.ts'
import { makeAskAgain } from './ask-again.ts'
import { makeCheckpoint } from './checkpoint.ts'
import { makeDecider } from './decide.ts'
import { makeDeviceGate } from './device-gate.ts'
import { makeDueTimer } from './due-timer.ts'
import { type HoldRow, makeHoldStore } from './hold-store.ts'
import { makeDeviceJudge, selects } from './judge-device.ts'
import { makeMisses } from './misses.ts'
import { findLeft, recallFirings } from './recall.ts'
import { makeSceneBook } from './scene-book.ts'
import { keyOf, type ProductTriggers, sceneOf } from './scene-index.ts'
import { makeSilence } from './silence.ts'
import { type Held, makeTriggerStates } from './trigger-states.ts'
import type { WatchKit } from './watch-kit.ts'
import { makeWatchMetrics } from './watch-metrics.ts'

const sweepMs = 2_000
/** Replayed messages and silent devices wait while more questions than this are open. */
const crowded = 1_000

export interface SceneWatch {
  /** Synchronous, after the commit and the reply. */
  observe(event: EventMap['uplink.stored']): void
  start(): Promise<void>
  stop(): Promise<void>
  /** Resolves when everything that was told before is judged. */
  settled(): Promise<void>
}

/** The trace id is put into words only when somebody asks for it. */
class MessageFact {
  readonly kind = 'values'
  readonly device
  readonly values
  readonly at
  #entry: JournalEntry
  constructor(device: Fact['device'], entry: JournalEntry, values: Record<string, unknown>) {
    this.device = device
    this.values = values
    this.at = entry.deviceTime || entry.at
    this.#entry = entry
  }
  get traceID(): string {
    return traceIDOf(this.#entry)
  }
}

const isNewEvent = ({ kind, up, code, dataID, repeated }: JournalEntry): boolean =>
  kind === JournalKind.event && up && code === 200 && dataID !== '' && repeated !== true

export function makeSceneWatch(kit: WatchKit): SceneWatch {
  const { db, clock, signal, bus, log, products, devices, latest, runner, node, alone } = kit
  const states = makeTriggerStates()
  const store = makeHoldStore({ db, log })
  const misses = makeMisses({ db, clock, log })
  const book = makeSceneBook({
    db,
    signal,
    products,
    log,
    onChanged(gone) {
      silence.refresh()
      if (gone.size === 0) return
      states.dropWhere(({ key }) => gone.has(sceneOf(key)))
      store.dropStale([...gone]).catch((error) => log.warn({ err: error }, 'old states of scenes could not be removed'))
    },
  })
  const { index, groups: members } = book
  const metrics = makeWatchMetrics(kit.metrics, {
    queue: () => decider.waiting,
    states: () => states.size,
    scenes: () => book.scenes,
    silence: () => silence.size,
  })
  const decider = makeDecider({
    clock,
    log,
    runner,
    misses,
    store,
    states,
    index,
    metrics,
    devices,
    latest,
    alone,
  })
  const timer = makeDueTimer<Held>(
    clock,
    (held) => judge.due(held),
    (held, at) => held.dueAt === at && states.of(held.device.deviceID)?.get(held.key) === held,
  )
  const judge = makeDeviceJudge({ clock, index, members, states, store, misses, metrics, decider, timer })
  const gate = makeDeviceGate({
    db,
    clock,
    log,
    latest,
    store,
    alone,
    restore,
    judge: (fact) => judge.judge(fact),
  })
  const room = async () => {
    while (decider.waiting > crowded) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const silence = makeSilence({
    db,
    clock,
    log,
    index,
    alone,
    selects: ({ trigger }, device) => selects(trigger, device, members),
    judge: (entry, fact) => judge.judgeFor(entry, fact),
    room,
  })
  const askAgain = makeAskAgain({ clock, index, states, store, silence, judge, room })
  const checkpoint = makeCheckpoint({
    db,
    clock,
    log,
    node,
    oldest() {
      const open = [decider.oldest, gate.oldest, runner.unstoredSince()].filter((at) => at !== undefined)
      return open.length === 0 ? undefined : Math.min(...open)
    },
    replay(fact) {
      metrics.replayed.inc()
      judge.judge(fact, true)
    },
    room,
  })
  let live = false
  let ends: Array<() => void> = []
  let sweeper: NodeJS.Timeout | undefined
  let sweeping: Promise<void> | undefined

  /** What other servers began or ended for these devices. */
  function restore(deviceIDs: number[], rows: HoldRow[]) {
    const stored = new Set(rows.map((row) => `${keyOf(row.sceneID, row.no)}/${row.device.deviceID}`))
    for (const deviceID of deviceIDs) {
      for (const held of [...(states.of(deviceID)?.values() ?? [])]) {
        if (held.stored && !held.state.deciding && !stored.has(`${held.key}/${deviceID}`)) states.drop(held)
      }
    }
    for (const row of rows) judge.restore(row)
  }

  const judgeValues = (
    device: Fact['device'],
    entry: JournalEntry,
    values: Record<string, unknown>,
    of: ProductTriggers,
  ) => {
    let concerned = states.of(device.deviceID) !== undefined
    let remembers = false
    for (const id in values) {
      const slot = of.properties.get(id)
      if (!slot) continue
      concerned = true
      remembers ||= !alone && slot.remembersOf(device, members)
    }
    if (!concerned) return
    const fact = new MessageFact(device, entry, values)
    if (gate.pass(fact, remembers, entry.deviceTime !== 0)) judge.judge(fact)
  }

  const judgeEvent = (device: Fact['device'], entry: JournalEntry, of: ProductTriggers) => {
    const slot = of.events.get(entry.dataID)
    if (!slot && states.of(device.deviceID) === undefined) return
    const fact: Fact = {
      kind: 'event',
      device,
      at: entry.deviceTime || entry.at,
      traceID: traceIDOf(entry),
      eventID: entry.dataID,
      params: JSON.parse(entry.content),
    }
    const remembers = !alone && slot !== undefined && slot.remembersOf(device, members)
    if (gate.pass(fact, remembers, false)) judge.judge(fact)
  }

  const observe = ({ device, entry, values }: EventMap['uplink.stored']) => {
    if (!live) return
    const of = index.product(device.productID)
    if (!of) return
    try {
      const isEvent = isNewEvent(entry)
      if (of.silence.size > 0 && (values !== undefined || isEvent)) silence.heard(device, values)
      if (values !== undefined) judgeValues(device, entry, values, of)
      else if (isEvent) judgeEvent(device, entry, of)
    } catch (error) {
      decider.failed(error, 0)
    }
  }

  const observePresence = ({ device, online, at }: EventMap['device.presence']) => {
    if (!online) gate.left(device.deviceID)
    const of = index.product(device.productID)
    if (!live || !of || of.presence.size === 0) return
    try {
      const fact: Fact = { kind: 'presence', device, at, traceID: '', online }
      if (gate.pass(fact, true, false)) judge.judge(fact)
    } catch (error) {
      decider.failed(error, 0)
    }
  }

  /** States whose server is gone, and what is over. */
  const sweep = async () => {
    const now = clock.now()
    states.sweep(index.entry, now)
    try {
      for (const row of await store.overdue(now - sweepMs)) judge.takeOver(row)
      await askAgain()
    } catch (error) {
      log.warn({ err: error }, 'states of scenes that are due could not be read')
    }
  }

  const settled = async () => {
    await book.settled()
    await gate.settled()
    while (decider.waiting > 0) await new Promise((resolve) => setImmediate(resolve))
    await store.settled()
  }

  return {
    observe,
    settled,
    async start() {
      await book.start()
      if (alone) for (const row of await store.load(undefined)) judge.restore(row)
      await recallFirings(db, clock, index, judge)
      live = true
      ends = [bus.on('uplink.stored', observe), bus.on('device.presence', observePresence)]
      await checkpoint.start()
      misses.start()
      silence.start()
      await findLeft(db, clock, index, (entry, fact) => {
        if (selects(entry.trigger, fact.device, members)) judge.judgeFor(entry, fact)
      })
      sweeper = setInterval(() => {
        sweeping ??= sweep().finally(() => {
          sweeping = undefined
        })
      }, sweepMs).unref()
    },
    /** What is being decided is finished first; what comes after this is looked at by the next start. */
    async stop() {
      live = false
      const stoppedAt = clock.now()
      for (const end of ends.splice(0)) end()
      clearInterval(sweeper)
      timer.stop()
      await sweeping
      await silence.stop()
      await book.stop()
      const limit = performance.now() + 5_000
      while ((decider.waiting > 0 || gate.oldest !== undefined) && performance.now() < limit) {
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      await checkpoint.stop(decider.waiting === 0 && gate.oldest === undefined ? stoppedAt : undefined)
      await misses.stop()
      await store.stop()
    },
  }
}
