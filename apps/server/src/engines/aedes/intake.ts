/** Messages between PUBLISH and PUBACK: how many there may be, and how long one may take (decisions.md 4.1, 4.3). */
import type { BrokerLimits } from './limits.ts'

export class StoreTimeout extends Error {}

interface Waiting {
  startedAt: number
  bytes: number
  settle(error: Error | undefined): void
}

export interface Intake {
  readonly count: number
  /** Room for one more from whoever asks. */
  hasRoom(): boolean
  /** Frames that were let in and have not been taken yet; a negative number gives room back. */
  announce(frames: number): void
  /** Calls `wake` when there is room again; the longest waiting first. */
  whenRoom(wake: () => void): void
  /** `done` is called once: when the work is done, failed, or took too long. */
  take(bytes: number, work: () => Promise<void>, done: (error: Error | undefined) => void): void
  /** No more from here on; resolves when nothing is under way. */
  drain(): Promise<void>
  start(): void
  stop(): void
}

const sweepMs = 250
/**
 * As many are let in as are done in a quarter of the time that each has. A store that became slow, for instance because
 * others use the machine, would otherwise hold more than it can finish in time: connections would be dropped and their
 * devices would send all of it again, which makes it slower still. What is not let in stays with the devices.
 */
const shareOfTime = 1 / 4
/** However slow it was: enough to notice that it is quick again. */
const fewest = 500
/** How much a sweep changes what is thought of the pace. */
const weight = 0.3

export function makeIntake(limits: BrokerLimits): Intake {
  /** In the order of arrival, so that the sweep looks at the oldest only. */
  const waiting = new Set<Waiting>()
  const sleepers = new Set<() => void>()
  let bytes = 0
  let announced = 0
  let inTurn = 0
  let turnEnds: NodeJS.Immediate | undefined
  let draining: (() => void) | undefined
  let closed = false
  let timer: NodeJS.Timeout | undefined
  /** Messages that may be under way at the pace of late. */
  let most = Math.min(fewest, limits.totalInflight)
  let perMs = 0
  let finished = 0
  let measuredAt = performance.now()

  const hasRoom = () =>
    !closed && inTurn < limits.perTurn && waiting.size + announced < most && bytes < limits.totalInflightBytes

  function wakeSome(): void {
    for (const wake of sleepers) {
      if (!hasRoom()) return
      sleepers.delete(wake)
      wake()
    }
  }

  /** Thousands of sockets may be full at once; answering calls of people must not wait for all of them. */
  function countTurn(frames: number): void {
    inTurn += frames
    turnEnds ??= setImmediate(() => {
      turnEnds = undefined
      inTurn = 0
      if (sleepers.size > 0) wakeSome()
    })
  }

  function finish(one: Waiting, error: Error | undefined): void {
    if (!waiting.delete(one)) return
    finished++
    bytes -= one.bytes
    one.settle(error)
    if (sleepers.size > 0) wakeSome()
    if (draining && waiting.size === 0) draining()
  }

  function measurePace(now: number): void {
    perMs += (finished / Math.max(now - measuredAt, 1) - perMs) * weight
    finished = 0
    measuredAt = now
    most = Math.min(Math.max(fewest, Math.ceil(perMs * limits.storeMs * shareOfTime)), limits.totalInflight)
    if (sleepers.size > 0) wakeSome()
  }

  function sweep(): void {
    const now = performance.now()
    measurePace(now)
    const oldest = now - limits.storeMs
    for (const one of waiting) {
      if (one.startedAt > oldest) break
      finish(one, new StoreTimeout(`not stored in ${limits.storeMs} ms`))
    }
  }

  return {
    get count() {
      return waiting.size
    },
    hasRoom,
    announce(frames) {
      announced += frames
      if (frames > 0) countTurn(frames)
    },
    whenRoom: (wake) => void sleepers.add(wake),
    take(size, work, done) {
      const one: Waiting = { startedAt: performance.now(), bytes: size, settle: done }
      waiting.add(one)
      bytes += size
      const fail = (error: unknown) => finish(one, error instanceof Error ? error : new Error(String(error)))
      try {
        work().then(() => finish(one, undefined), fail)
      } catch (error) {
        fail(error)
      }
    },
    async drain() {
      closed = true
      if (waiting.size === 0) return
      await new Promise<void>((resolve) => {
        draining = resolve
      })
    },
    start() {
      closed = false
      timer = setInterval(sweep, Math.min(sweepMs, limits.storeMs))
    },
    stop() {
      clearInterval(timer)
      clearImmediate(turnEnds)
    },
  }
}
