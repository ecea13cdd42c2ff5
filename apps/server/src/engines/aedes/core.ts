/** What the parts of the broker share. */
import { keep, type Phrase } from '@ithings/contract/text.ts'
import type { Logger } from 'pino'
import type { BrokerHooks, BrokerLimit, Caller } from '#ports/broker.ts'
import type { Clock } from '#ports/clock.ts'
import type { SessionStore } from '#ports/session-store.ts'
import type { Connection } from './connection.ts'
import type { BrokerLimits } from './limits.ts'
import type { BrokerMetrics } from './metrics.ts'

export interface BrokerCore {
  readonly hooks: BrokerHooks
  readonly limits: BrokerLimits
  readonly clock: Clock
  readonly log: Logger
  readonly metrics: BrokerMetrics
  /** The newest connection of each device, `product/device`, from its sign-in on. */
  readonly claims: Map<string, Connection>
  readonly store: SessionStore
  /** By device, those that have a stored session or are about to open it. */
  readonly storing: Map<number, Connection>
  /** Counts it, and tells the platform now and then; of a caller who gave a name each time. */
  limited(limit: BrokerLimit, connection: Connection | undefined, detail: Phrase, caller?: Caller): void
  /** Runs a hook that must not bring the broker down. */
  tell(run: () => void): void
}

const tellStrangersMs = 1_000

export function makeCore(parts: Omit<BrokerCore, 'claims' | 'storing' | 'limited' | 'tell'>): BrokerCore {
  const { hooks, log, metrics } = parts
  const toldAt = new Map<BrokerLimit, number>()

  const mayTell = (limit: BrokerLimit, connection: Connection | undefined, { clientID }: Caller): boolean => {
    const now = performance.now()
    if (connection?.session) return connection.mayTell(limit, now)
    if (clientID !== '') return true
    if (now - (toldAt.get(limit) ?? Number.NEGATIVE_INFINITY) < tellStrangersMs) return false
    toldAt.set(limit, now)
    return true
  }

  const tell = (run: () => void) => {
    try {
      run()
    } catch (error) {
      log.error({ err: error }, 'a listener of the broker failed')
    }
  }
  return {
    ...parts,
    claims: new Map(),
    storing: new Map(),
    tell,
    limited(limit, connection, detail, caller = { ip: connection?.ip ?? '', clientID: '' }) {
      metrics.limited(limit)
      if (mayTell(limit, connection, caller))
        tell(() => hooks.limited(limit, connection?.session, keep([detail]), caller))
    },
  }
}
