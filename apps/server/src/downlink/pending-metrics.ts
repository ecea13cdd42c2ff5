/** Counters of the requests that devices have to answer, for /metrics (decisions.md 4.3). */
import { Gauge, type Registry } from 'prom-client'
import type { PendingReplies } from './pending-replies.ts'

export function installPendingMetrics(metrics: Registry, pending: PendingReplies): void {
  new Gauge({
    name: 'ithings_pending_replies',
    help: 'Requests to devices: kept and waited for now; opened, answered, unknown, expired and refused since the start',
    labelNames: ['what'],
    registers: [metrics],
    collect() {
      for (const [what, count] of Object.entries(pending.counts())) this.set({ what }, count)
    },
  })
}
