/** Counters of the script sandbox for /metrics (decisions.md 4.3: every limit has a counter). */
import { Gauge, type Registry } from 'prom-client'
import type { ScriptCounts } from '#engines/script-vm/script-runner.ts'

export function installScriptMetrics(metrics: Registry, counts: () => ScriptCounts): void {
  new Gauge({
    name: 'ithings_scripts',
    help: 'Calls, failures, time-outs, replaced threads and waiting calls of product scripts',
    labelNames: ['what'],
    registers: [metrics],
    collect() {
      for (const [what, count] of Object.entries(counts())) this.set({ what }, count)
    },
  })
}
