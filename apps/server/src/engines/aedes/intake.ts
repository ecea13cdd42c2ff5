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

  const hasRoom = () =>
    !closed &&
    inTurn < limits.perTurn &&
    waiting.size + announced < limits.totalInflight &&
    bytes < limits.totalInflightBytes

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
    bytes -= one.bytes
    one.settle(error)
    if (sleepers.size > 0) wakeSome()
    if (draining && waiting.size === 0) draining()
  }

  function sweep(): void {
    const oldest = performance.now() - limits.storeMs
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
