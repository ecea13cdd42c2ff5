/** The figures of the screen 集群 for /metrics, where they are not there yet. */
import { ServerState } from '@ithings/contract/features/cluster.ts'
import { Gauge, type Registry } from 'prom-client'
import { showFigure } from '#background/gauges.ts'
import { within } from '#ports/within.ts'
import type { ClusterDeps } from './cluster-deps.ts'
import { readDatabase } from './read-database.ts'

/** A database that does not answer must not keep the other figures. */
const answerMs = 2_000

export function installClusterMetrics(metrics: Registry, deps: ClusterDeps, state: () => ServerState): void {
  const registers = [metrics]
  showFigure(metrics, 'ithings_server_drained', '1 while this server sends its devices away or takes none', () =>
    state() === ServerState.serving ? 0 : 1,
  )
  showFigure(
    metrics,
    'ithings_signal_lag_seconds',
    'How long the last notice of this server to itself took; NaN: not known, or none arrive',
    () => (deps.signal.lagMs === undefined ? Number.NaN : deps.signal.lagMs / 1000),
  )
  const behind = new Gauge({
    name: 'ithings_database_standby_behind_bytes',
    help: 'What a standby has not applied yet',
    labelNames: ['standby'],
    registers,
  })
  new Gauge({
    name: 'ithings_database_durability',
    help: 'An acknowledgement means: 1 one machine, 2 two machines, 3 asynchronous, 4 waits for a standby, 5 fsync is off, 0 not known',
    registers,
    async collect() {
      behind.reset()
      const database = await within(answerMs, readDatabase(deps.db, deps.alone)).catch(() => undefined)
      this.set(database?.durability ?? 0)
      for (const { name, address, behindBytes } of database?.standbys ?? [])
        behind.set({ standby: name || address }, behindBytes)
    },
  })
}
