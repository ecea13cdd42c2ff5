import { Counter, type Registry } from 'prom-client'

export function makeForwardMeters(metrics: Registry) {
  const shared = { labelNames: ['type'], registers: [metrics] }
  return {
    sent: new Counter({ name: 'ithings_forward_sent_total', help: 'Messages that targets have', ...shared }),
    refused: new Counter({ name: 'ithings_forward_refused_total', help: 'Messages refused for good', ...shared }),
    failures: new Counter({ name: 'ithings_forward_failures_total', help: 'Tries that failed', ...shared }),
  }
}

export type ForwardMeters = ReturnType<typeof makeForwardMeters>
