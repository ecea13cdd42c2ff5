import { setTimeout as rest } from 'node:timers/promises'
import type { Connection } from './connection.ts'
import { servedText } from './end-reasons.ts'

/** Fewer timers than connections. */
const stepMs = 20

/** Devices leave one after the other within this time. @returns whether all did, and it was not taken back meanwhile */
export async function leaveEvenly(
  open: readonly Connection[],
  ms: number,
  takenBack: AbortSignal | undefined,
): Promise<boolean> {
  const begun = performance.now()
  for (const [index, connection] of open.entries()) {
    const wait = begun + (ms * index) / open.length - performance.now()
    if (wait >= stepMs) await rest(wait)
    if (takenBack?.aborted) return false
    connection.leave(servedText)
  }
  return true
}
