/** Leaving a cell without anybody noticing: the balancer hears of it, then the devices go to other servers one by one. */
import { setTimeout as rest } from 'node:timers/promises'
import { ServerState } from '@ithings/contract/features/cluster.ts'
import type { AedesBroker } from '#engines/aedes/broker.ts'
import type { Presence } from '#features/devices/door.ts'

/** Until a balancer that asks every second or two has noticed. */
const noticeMs = 5_000
/** For people who ask for it while DRAIN_SECONDS says that a stop does not wait. */
const usualSeconds = 30

export interface Drain {
  /** Before a stop. */
  run(): Promise<void>
  /** By the wish of people; the server lives on, without devices, until they take it back. */
  follow(wish: boolean): void
  state(): ServerState
}

export function makeDrain(
  { presence, broker }: { presence: Presence; broker: AedesBroker },
  seconds: number,
  failed: (error: unknown) => void,
): Drain {
  let state: ServerState = ServerState.serving
  let wish: AbortController | undefined

  const sendAway = async (within: number, takenBack?: AbortSignal) => {
    const wait = Math.min(noticeMs, (within * 1000) / 3)
    await rest(wait)
    if (!takenBack?.aborted) await broker.drain(within * 1000 - wait, takenBack)
  }
  const begin = async (takenBack: AbortSignal) => {
    await sendAway(seconds || usualSeconds, takenBack)
    if (takenBack.aborted || state === ServerState.stopping) return
    state = ServerState.drained
    presence.beatNow()
  }

  return {
    async run() {
      const empty = state === ServerState.drained
      if (seconds === 0 || !(await presence.handOver())) return
      state = ServerState.stopping
      presence.beatNow()
      if (!empty) await sendAway(seconds)
    },
    follow(wished) {
      if (wished === (wish !== undefined) || state === ServerState.stopping) return
      wish?.abort()
      wish = wished ? new AbortController() : undefined
      state = wished ? ServerState.draining : ServerState.serving
      presence.sendAway(wished)
      presence.beatNow()
      if (wish) begin(wish.signal).catch(failed)
    },
    state: () => state,
  }
}
