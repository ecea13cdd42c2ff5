/** The figures of the screen 集群 for /metrics, where they are not there yet. */
import { ServerState } from '@ithings/contract/features/cluster.ts'
import { Gauge, type Registry } from 'prom-client'
import { showFigure } from '#background/gauges.ts'
import { oneAtATime, within } from '#ports/within.ts'
import { version } from '#version.ts'
import type { ClusterDeps } from './cluster-deps.ts'
import { readDatabase } from './read-database.ts'

/** A database that does not answer must not keep the other figures. */
const answerMs = 2_000

export function installClusterMetrics(metrics: Registry, deps: ClusterDeps, state: () => ServerState): void {
  const registers = [metrics]
  const labelNames = ['version', 'server']
  const info = { name: 'ithings_server_info', help: 'Always 1: which program this is, as the screen names it' }
  new Gauge({ ...info, labelNames, registers }).set({ version, server: deps.serverID }, 1)
  showFigure(metrics, 'ithings_server_drained', '1 while this server sends its devices away or takes none', () =>
    state() === ServerState.serving ? 0 : 1,
  )
  showFigure(
    metrics,
    'ithings_signal_lag_seconds',
    'How long the last notice of this server to itself took; NaN: not known, or none arrive',
    () => (deps.signal.lagMs === undefined ? Number.NaN : deps.signal.lagMs / 1000),
  )
  installDatabaseMetrics(registers, deps)
}

/** Read when somebody asks for /metrics: once for all of them. */
function installDatabaseMetrics(registers: Registry[], { db, alone }: ClusterDeps): void {
  const read = oneAtATime(() => readDatabase(db, alone))
  const ask = () => within(answerMs, read()).catch(() => undefined)
  new Gauge({
    name: 'ithings_database_standby_behind_bytes',
    help: 'What a standby has not applied yet',
    labelNames: ['standby'],
    registers,
    async collect() {
      const database = await ask()
      this.reset()
      for (const { name, address, behindBytes } of database?.standbys ?? [])
        this.set({ standby: name || address }, behindBytes)
    },
  })
  new Gauge({
    name: 'ithings_database_connections',
    help: 'Connections of PostgreSQL that are open, and how many there may be',
    labelNames: ['what'],
    registers,
    async collect() {
      const database = await ask()
      this.reset()
      if (!database) return
      this.set({ what: 'open' }, database.connections)
      this.set({ what: 'most' }, database.maxConnections)
    },
  })
  new Gauge({
    name: 'ithings_database_durability',
    help: 'An acknowledgement means: 1 one machine, 2 two machines, 3 asynchronous, 4 waits for a standby, 5 fsync is off, 0 not known',
    registers,
    async collect() {
      this.set((await ask())?.durability ?? 0)
    },
  })
}
