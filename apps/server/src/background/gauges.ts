/** Figures that are read when somebody asks for /metrics (decisions.md 4.3: every limit has a counter). */
import { Gauge, type Registry } from 'prom-client'

export function showFigure(metrics: Registry, name: string, help: string, read: () => number): void {
  const collect = () => gauge.set(read())
  const gauge: Gauge = new Gauge({ name, help, registers: [metrics], collect })
}

/** Several under one name, each with the label `what`. */
export function showCounts(metrics: Registry, name: string, help: string, counts: () => object): void {
  const collect = () => {
    for (const [what, count] of Object.entries(counts())) gauge.set({ what }, count)
  }
  const gauge = new Gauge({ name, help, labelNames: ['what'], registers: [metrics], collect })
}
