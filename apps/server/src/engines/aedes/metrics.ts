import { Counter, Gauge, type Registry } from 'prom-client'
import type { BrokerLimit } from '#ports/broker.ts'
import { oneAtATime, within } from '#ports/within.ts'

/** A store that does not answer must not keep the other figures. */
const answerMs = 2_000

export interface BrokerCounts {
  connections(): number
  inflight(): number
  /** Of all servers. */
  stored(): Promise<{ sessions: number; queued: number }>
}

export interface BrokerMetrics {
  limited(limit: BrokerLimit): void
  refused(why: 'login' | 'subscribe' | 'protocol' | 'slowReader'): void
  message(way: 'up' | 'down'): void
}

export function makeBrokerMetrics(registry: Registry, counts: BrokerCounts): BrokerMetrics {
  const registers = [registry]
  const limited = new Counter({
    name: 'ithings_mqtt_limited_total',
    help: 'Times a limit of the broker held a client back or turned it away',
    labelNames: ['limit'],
    registers,
  })
  const refused = new Counter({
    name: 'ithings_mqtt_refused_total',
    help: 'Sign-ins, subscriptions, malformed packets and downlinks that were refused',
    labelNames: ['what'],
    registers,
  })
  const messages = new Counter({
    name: 'ithings_mqtt_messages_total',
    help: 'Messages from and to devices',
    labelNames: ['way'],
    registers,
  })
  const stored = oneAtATime(() => counts.stored())
  new Gauge({
    name: 'ithings_mqtt',
    help: 'Connections, messages that wait for their commit; of all servers: stored sessions and queued downlinks',
    labelNames: ['what'],
    registers,
    async collect() {
      const { connections, inflight } = counts
      const found = await within(answerMs, stored()).catch(() => undefined)
      const unknown = { sessions: Number.NaN, queued: Number.NaN }
      for (const [what, count] of Object.entries({ ...unknown, ...found })) this.set({ what }, count)
      this.set({ what: 'connections' }, connections())
      this.set({ what: 'inflight' }, inflight())
    },
  })
  // Looked up once: one of them counts every message.
  const ways = { up: messages.labels('up'), down: messages.labels('down') }
  return {
    limited: (limit) => limited.inc({ limit }),
    refused: (what) => refused.inc({ what }),
    message: (way) => ways[way].inc(),
  }
}
