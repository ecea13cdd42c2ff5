/**
 * The live watch of scenes: every stored message, every coming and going, every silence is judged after the device has
 * its reply, in the order of arrival, and what fires is handed to the runner. Nothing here throws at the corridor.
 */
import type { Loop } from '#background/loop.ts'
import type { EventMap } from '#ports/event-bus.ts'
import { type JournalEntry, JournalKind, traceIDOf } from '#ports/journal.ts'
import type { Fact } from '../engine/engine-types.ts'
import { makeAskAgain } from './ask-again.ts'
import { type Checkpoint, makeCheckpoint } from './checkpoint.ts'
import { Decider } from './decide.ts'
import { type DeviceGate, makeDeviceGate } from './device-gate.ts'
import { type DueTimer, makeDueTimer } from './due-timer.ts'
import { type HoldRow, type HoldStore, makeHoldStore } from './hold-store.ts'
import { DeviceJudge, selects } from './judge-device.ts'
import { type MemoryRow, type MemoryStore, makeMemoryStore } from './memory-store.ts'
import { type Misses, makeMisses } from './misses.ts'
import { findLeft, recallFirings } from './recall.ts'
import { keyOf, type ProductTriggers, sceneOf } from './scene-index.ts'
import { SceneRegistry } from './scene-registry.ts'
import { Silence } from './silence.ts'
import { type Held, makeTriggerStates } from './trigger-states.ts'
import type { WatchDeps } from './watch-deps.ts'
import { makeWatchMetrics, type WatchMetrics } from './watch-metrics.ts'

const sweepMs = 2_000
/** Replayed messages and silent devices wait while more questions than this are open. */
const crowded = 1_000

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

export class SceneWatch {
  readonly #deps: WatchDeps
  readonly #states = makeTriggerStates()
  readonly #store: HoldStore
  readonly #memory: MemoryStore
  readonly #misses: Misses
  readonly #registry: SceneRegistry
  readonly #metrics: WatchMetrics
  readonly #decider: Decider
  readonly #timer: DueTimer<Held>
  readonly #judge: DeviceJudge
  readonly #gate: DeviceGate
  readonly #silence: Silence
  readonly #askAgain: () => Promise<void>
  readonly #checkpoint: Checkpoint
  #live = false
  #ends: Array<() => void> = []
  #sweeping: Loop | undefined

  constructor(deps: WatchDeps) {
    this.#deps = deps
    const states = this.#states
    const room = () => this.#room()
    this.#store = makeHoldStore(deps)
    this.#memory = makeMemoryStore(deps)
    this.#misses = makeMisses(deps)
    this.#registry = new SceneRegistry({ ...deps, onChanged: (gone) => this.#scenesChanged(gone) })
    const { index, groups: members } = this.#registry
    this.#metrics = makeWatchMetrics(deps.metrics, {
      queue: () => this.#decider.waiting,
      states: () => states.size,
      scenes: () => this.#registry.scenes,
      silence: () => this.#silence.size,
    })
    const kept = { states, store: this.#store, memory: this.#memory, misses: this.#misses }
    const parts = { ...deps, ...kept, index, members, metrics: this.#metrics }
    this.#decider = new Decider(parts)
    this.#timer = makeDueTimer(
      deps.clock,
      (held) => this.#judge.due(held),
      (held, at) => held.dueAt === at && states.of(held.device.deviceID)?.get(held.key) === held,
    )
    const judge = new DeviceJudge({ ...parts, decider: this.#decider, timer: this.#timer })
    this.#judge = judge
    this.#gate = makeDeviceGate({
      ...parts,
      restore: (deviceIDs, rows, memories) => this.#restore(deviceIDs, rows, memories),
      judge: (fact) => judge.judge(fact),
    })
    this.#silence = new Silence({
      ...parts,
      selects: ({ trigger }, device) => selects(trigger, device, members),
      judge: (entry, fact) => judge.judgeFor(entry, fact),
      room,
    })
    this.#askAgain = makeAskAgain({ ...parts, silence: this.#silence, judge, room })
    this.#checkpoint = makeCheckpoint({
      ...deps,
      oldest: () => this.#oldest(),
      replay: (fact) => {
        this.#metrics.replayed.inc()
        judge.judge(fact, true)
      },
      room,
    })
  }

  /** `gone`: scenes that were edited, switched off or deleted; what was remembered of them is over. */
  #scenesChanged(gone: ReadonlySet<number>) {
    this.#silence.refresh()
    if (gone.size === 0) return
    this.#states.dropWhere(({ key }) => gone.has(sceneOf(key)))
    this.#store
      .dropStale([...gone])
      .catch((error) => this.#deps.log.warn({ err: error }, 'old states of scenes could not be removed'))
  }

  /** Resolves when there is room for more questions. */
  async #room() {
    while (this.#decider.waiting > crowded) await new Promise((resolve) => setTimeout(resolve, 20))
  }

  /** When the oldest thing came that is not judged and stored yet. */
  #oldest(): number | undefined {
    const { runner } = this.#deps
    const open = [this.#decider.oldest, this.#gate.oldest, runner.unstoredSince()].filter((at) => at !== undefined)
    return open.length === 0 ? undefined : Math.min(...open)
  }

  /** What other servers began or ended for these devices. */
  #restore(deviceIDs: number[], rows: HoldRow[], memories: MemoryRow[]) {
    const stored = new Set(rows.map((row) => `${keyOf(row.sceneID, row.no)}/${row.device.deviceID}`))
    for (const deviceID of deviceIDs) {
      for (const held of [...(this.#states.of(deviceID)?.values() ?? [])]) {
        if (held.stored && !held.state.deciding && !stored.has(`${held.key}/${deviceID}`)) this.#states.drop(held)
      }
    }
    for (const row of rows) this.#judge.restore(row)
    for (const row of memories) this.#judge.recallMemory(row)
  }

  /** Synchronous, after the commit and the reply. */
  observe({ device, entry, values }: EventMap['uplink.stored']): void {
    if (!this.#live) return
    const of = this.#registry.index.product(device.productID)
    if (!of) return
    try {
      const isEvent = isNewEvent(entry)
      if (of.silence.size > 0 && (values !== undefined || isEvent)) this.#silence.heard(device, values)
      if (values !== undefined) this.#judgeValues(device, entry, values, of)
      else if (isEvent) this.#judgeEvent(device, entry, of)
    } catch (error) {
      this.#decider.failed(error, 0)
    }
  }

  #judgeValues(device: Fact['device'], entry: JournalEntry, values: Record<string, unknown>, of: ProductTriggers) {
    let concerned = this.#states.of(device.deviceID) !== undefined
    let remembers = false
    for (const id in values) {
      const slot = of.properties.get(id)
      if (!slot) continue
      concerned = true
      remembers ||= !this.#deps.alone && slot.remembersOf(device, this.#registry.groups)
    }
    if (!concerned) return
    const fact = new MessageFact(device, entry, values)
    if (this.#gate.pass(fact, remembers, entry.deviceTime !== 0)) this.#judge.judge(fact)
  }

  #judgeEvent(device: Fact['device'], entry: JournalEntry, of: ProductTriggers) {
    const slot = of.events.get(entry.dataID)
    if (!slot && this.#states.of(device.deviceID) === undefined) return
    const fact: Fact = {
      kind: 'event',
      device,
      at: entry.deviceTime || entry.at,
      traceID: traceIDOf(entry),
      eventID: entry.dataID,
      params: JSON.parse(entry.content),
    }
    const remembers = !this.#deps.alone && slot !== undefined && slot.remembersOf(device, this.#registry.groups)
    if (this.#gate.pass(fact, remembers, false)) this.#judge.judge(fact)
  }

  #observePresence({ device, online, at }: EventMap['device.presence']) {
    const of = this.#registry.index.product(device.productID)
    if (!this.#live || !of || of.presence.size === 0) return
    try {
      const fact: Fact = { kind: 'presence', device, at, traceID: '', online }
      if (this.#gate.pass(fact, true, false)) this.#judge.judge(fact)
    } catch (error) {
      this.#decider.failed(error, 0)
    }
  }

  /** States whose server is gone, and what is over. */
  async #sweep() {
    const now = this.#deps.clock.now()
    this.#states.sweep(this.#registry.index.entry, now)
    for (const row of await this.#store.overdue(now - sweepMs)) this.#judge.takeOver(row)
    await this.#askAgain()
  }

  /** Resolves when everything that was told before is judged. */
  async settled(): Promise<void> {
    await this.#registry.settled()
    await this.#gate.settled()
    while (this.#decider.waiting > 0) await new Promise((resolve) => setImmediate(resolve))
    await this.#store.settled()
    await this.#memory.settled()
  }

  async start(): Promise<void> {
    const { db, clock, bus, alone } = this.#deps
    const judge = this.#judge
    await this.#registry.start()
    const { index, groups: members } = this.#registry
    if (alone) for (const row of await this.#store.load(undefined)) judge.restore(row)
    await recallFirings(db, clock, index, judge)
    this.#live = true
    this.#ends = [
      bus.on('uplink.stored', (event) => this.observe(event)),
      bus.on('device.presence', (event) => this.#observePresence(event)),
      bus.on('device.session', ({ device }) => this.#gate.doubt(device.deviceID)),
    ]
    await this.#checkpoint.start()
    this.#misses.start()
    this.#silence.start()
    await findLeft(db, clock, index, (entry, fact) => {
      if (selects(entry.trigger, fact.device, members)) judge.judgeFor(entry, fact)
    })
    const sweep = { name: 'scenes.sweep', everyMs: sweepMs, firstMs: sweepMs, run: () => this.#sweep() }
    this.#sweeping = this.#deps.background.every(sweep)
  }

  /** What is being decided is finished first; what comes after this is looked at by the next start. */
  async stop(): Promise<void> {
    this.#live = false
    const stoppedAt = this.#deps.clock.now()
    for (const end of this.#ends.splice(0)) end()
    this.#timer.stop()
    await this.#sweeping?.stop()
    await this.#silence.stop()
    await this.#registry.stop()
    const isDone = () => this.#decider.waiting === 0 && this.#gate.oldest === undefined
    const limit = performance.now() + 5_000
    while (!isDone() && performance.now() < limit) await new Promise((resolve) => setTimeout(resolve, 5))
    await this.#checkpoint.stop(isDone() ? stoppedAt : undefined)
    await this.#misses.stop()
    await this.#store.stop()
    await this.#memory.stop()
  }
}
