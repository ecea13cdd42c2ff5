/** Counters of the live WebSocket for /metrics (decisions.md 4.3: every limit has a counter). */
import { Gauge, type Registry } from 'prom-client'

export function installLiveMetrics(metrics: Registry, counts: () => Record<string, number>): void {
  new Gauge({
    name: 'ithings_live',
    help: 'Open sockets and watched topics; notices sent; connections refused and dropped by reason',
    labelNames: ['what'],
    registers: [metrics],
    collect() {
      for (const [what, count] of Object.entries(counts())) this.set({ what }, count)
    },
  })
}
