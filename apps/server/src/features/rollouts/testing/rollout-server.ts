/** The machinery of one server with a kind of the test's choosing; also in a process of its own (doomed-server.ts). */
import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { Registry } from 'prom-client'
import { makeBackground } from '#background/background.ts'
import { connect } from '#db/connect.ts'
import { makeMemoryBus } from '#engines/memory-bus/memory-bus.ts'
import { makePgSignal } from '#engines/pg-signal/pg-signal.ts'
import type { Clock } from '#ports/clock.ts'
import type { EventBus } from '#ports/event-bus.ts'
import type { RolloutKind } from '../rollout-kind.ts'
import { makeRollouts } from '../rollouts.ts'
import type { Rollouts } from '../rollouts-deps.ts'

/** Not 1 to 5, so that nothing mixes up states and the feature's own statuses. */
export const statuses = { waiting: 11, sent: 12, success: 13, failed: 14, cancelled: 15 }

export const testKind = (more: Partial<RolloutKind> = {}): RolloutKind => ({
  kind: 'task',
  statuses,
  send: async () => ({ result: 'done' }),
  lost: () => ({ then: 'again' }),
  ...more,
})

export interface RolloutServer {
  rollouts: Rollouts
  serverID: string
  bus: EventBus
  metrics: Registry
  logged: string[]
  stop(): Promise<void>
}

export async function openRolloutServer(url: string, clock: Clock, kind: RolloutKind): Promise<RolloutServer> {
  const connection = connect(url, () => {})
  const signal = makePgSignal(url, connection.pool, () => {})
  await signal.start()
  const bus = makeMemoryBus((error) => {
    throw error
  })
  const metrics = new Registry()
  const logged: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) })
  const background = makeBackground({ clock, log, metrics })
  const serverID = randomUUID()
  const rollouts = makeRollouts({ db: connection.db, clock, bus, signal, log, background, metrics, serverID })
  rollouts.register(kind)
  await rollouts.start()
  return {
    rollouts,
    serverID,
    bus,
    metrics,
    logged,
    async stop() {
      await rollouts.stop()
      await signal.stop()
      await connection.close()
    },
  }
}
