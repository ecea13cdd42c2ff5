import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

export interface NotifyMetrics {
  /** Tries by type and result (sent, retry, failed). */
  tries: Counter<'type' | 'result'>
  seconds: Histogram<'type'>
  /** Given up unsent because too many waited. */
  refused: Counter
  /** Being sent by this server at the moment. */
  sending: Gauge
  waiting: Gauge
}

export const makeNotifyMetrics = (registry: Registry): NotifyMetrics => ({
  tries: new Counter({
    name: 'ithings_notify_tries_total',
    help: 'Tries to send a notification, by type and result',
    labelNames: ['type', 'result'],
    registers: [registry],
  }),
  seconds: new Histogram({
    name: 'ithings_notify_seconds',
    help: 'How long a try took, in seconds',
    labelNames: ['type'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  }),
  refused: new Counter({
    name: 'ithings_notify_refused_total',
    help: 'Notifications given up because the outbox was full',
    registers: [registry],
  }),
  sending: new Gauge({
    name: 'ithings_notify_sending',
    help: 'Notifications being sent by this server',
    registers: [registry],
  }),
  waiting: new Gauge({
    name: 'ithings_notify_waiting',
    help: 'Notifications waiting in the outbox, those put off included',
    registers: [registry],
  }),
})
