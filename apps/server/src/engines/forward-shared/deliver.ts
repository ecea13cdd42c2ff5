/** Many messages on one connection, each with an answer of its own. */
import type { Refused } from '#ports/forward-target.ts'
import { TargetAway } from '#ports/forward-target.ts'
import { noAnswer } from '#ports/network-fault.ts'
import { awayBecause, stopped } from './away.ts'

/** The other side ended the connection because of a message, and did not say of which. */
export class Blamed extends Error {
  /** Kept sentence. */
  readonly reason: string

  constructor(reason: string) {
    super('a message ended the connection')
    this.reason = reason
  }
}

/** Hands one message over. Answers why it is refused, or undefined when the other side has it. */
export type Transmit = (index: number) => Promise<string | undefined>

export interface DeliverOptions {
  /** So many wait for their answer at most. */
  atOnce: () => number
  /** From one answer to the next. */
  timeoutMs: number
  signal: AbortSignal
}

function run(indexes: readonly number[], options: DeliverOptions, transmit: Transmit): Promise<void> {
  const { atOnce, timeoutMs, signal } = options
  return new Promise((resolve, reject) => {
    let [next, answered, isOver] = [0, 0, false]
    const end = () => {
      isOver = true
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
    const fail = (error: unknown) => {
      end()
      reject(error)
    }
    const onAbort = () => fail(stopped())
    const timer = setTimeout(() => fail(new TargetAway(noAnswer(timeoutMs))), timeoutMs)
    const settle = () => {
      if (isOver) return
      answered += 1
      timer.refresh()
      feed()
    }
    const feed = () => {
      if (answered === indexes.length) {
        end()
        resolve()
      }
      while (!isOver && next < indexes.length && next - answered < atOnce()) {
        transmit(indexes[next++] ?? 0).then(settle, fail)
      }
    }
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    else feed()
  })
}

/**
 * In the order of the indexes, without waiting for each. When one of them ends the connection (Blamed), those without an answer
 * go one by one, so that it is known which.
 * @throws TargetAway
 */
export async function deliver(count: number, options: DeliverOptions, transmit: Transmit): Promise<Refused[]> {
  const reasons = new Map<number, string | undefined>()
  const noting: Transmit = async (index) => {
    const reason = await transmit(index)
    reasons.set(index, reason)
    return reason
  }
  const all = Array.from({ length: count }, (_, index) => index)
  try {
    await run(all, options, noting)
  } catch (error) {
    if (!(error instanceof Blamed)) throw awayBecause(error)
    for (const index of all.filter((one) => !reasons.has(one))) {
      await run([index], options, noting).catch((cause) => {
        if (!(cause instanceof Blamed)) throw awayBecause(cause)
        reasons.set(index, cause.reason)
      })
    }
  }
  return all.flatMap((index) => {
    const reason = reasons.get(index)
    return reason === undefined ? [] : [{ index, reason }]
  })
}
