/** Counters of runs for /metrics (decisions.md 4.3). */
import { Counter, Gauge, type Registry } from 'prom-client'
import { type RolloutKindName, RowState } from './rollout-kind.ts'
import type { RowEvent } from './row-step.ts'

export interface RolloutMetrics {
  openRuns(count: number): void
  moved(kind: RolloutKindName, event: RowEvent, state: RowState): void
}

/** What a move means to whoever watches; undefined: nothing. */
function meaning(event: RowEvent, state: RowState): string | undefined {
  if (event.type === 'outcome' && event.outcome.result !== 'failed') return event.outcome.result
  if (event.type === 'overdue') return 'timed_out'
  return state === RowState.failed ? 'failed' : undefined
}

export function makeRolloutMetrics(metrics: Registry): RolloutMetrics {
  const open = new Gauge({
    name: 'ithings_rollout_open_runs',
    help: 'Runs over devices that have something to do; not those that only wait for devices to connect',
    registers: [metrics],
  })
  const rows = new Counter({
    name: 'ithings_rollout_devices_total',
    help: 'Devices of runs: sent, done at once, found offline, dropped, timed out, failed',
    labelNames: ['kind', 'what'],
    registers: [metrics],
  })
  return {
    openRuns: (count) => open.set(count),
    moved(kind, event, state) {
      const what = meaning(event, state)
      if (what) rows.inc({ kind, what })
      if (what && what !== 'failed' && state === RowState.failed) rows.inc({ kind, what: 'failed' })
    },
  }
}
