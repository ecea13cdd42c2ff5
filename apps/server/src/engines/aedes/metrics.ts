import { Counter, Gauge, type Registry } from 'prom-client'
import type { BrokerLimit } from '#ports/broker.ts'

export interface BrokerCounts {
  connections(): number
  inflight(): number
  sessions(): number
  queued(): number
}

export interface BrokerMetrics {
  limited(limit: BrokerLimit): void
  refused(why: 'login' | 'subscribe' | 'protocol' | 'slowReader'): void
  message(way: 'up' | 'down'): void
  queueDropped(count: number): void
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
  const dropped = new Counter({
    name: 'ithings_mqtt_queue_dropped_total',
    help: 'Queued downlinks of absent devices that went to make room',
    registers,
  })
  new Gauge({
    name: 'ithings_mqtt',
    help: 'Connections, messages that wait for their commit, stored sessions and queued downlinks',
    labelNames: ['what'],
    registers,
    collect() {
      for (const [what, count] of Object.entries(counts)) this.set({ what }, count())
    },
  })
  // Looked up once: one of them counts every message.
  const ways = { up: messages.labels('up'), down: messages.labels('down') }
  return {
    limited: (limit) => limited.inc({ limit }),
    refused: (what) => refused.inc({ what }),
    message: (way) => ways[way].inc(),
    queueDropped: (count) => dropped.inc(count),
  }
}
