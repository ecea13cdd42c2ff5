/** Forwarding with its engines: one for each kind of target. */
import type pg from 'pg'
import { openAmqp } from '#engines/forward-amqp/amqp-target.ts'
import { openInflux } from '#engines/forward-influx/influx-target.ts'
import { openKafkaTarget } from '#engines/forward-kafka/kafka-target.ts'
import { openMqtt } from '#engines/forward-mqtt/mqtt-target.ts'
import { openPostgresTarget } from '#engines/forward-postgres/postgres-target.ts'
import { openS3Target } from '#engines/forward-s3/s3-target.ts'
import { openWebhook } from '#engines/forward-webhook/webhook-target.ts'
import { makePgTail } from '#engines/pg-tail/pg-tail.ts'
import type { ForwardingDeps } from '#features/forwarding/forwarding-deps.ts'
import { makeAddressGuard } from '#features/notify/address-guard.ts'

/** For one answer of a target. */
const timeoutMs = 15_000

export interface ForwardingParts extends Omit<ForwardingDeps, 'tail' | 'targets' | 'tools'> {
  pool: pg.Pool
  /** Networks that targets may be in although they are internal (WEBHOOK_ALLOW). */
  webhookAllow: readonly string[]
}

export const makeForwardingDeps = ({ pool, webhookAllow, ...parts }: ForwardingParts): ForwardingDeps => ({
  ...parts,
  tail: makePgTail(pool),
  tools: { guard: makeAddressGuard(webhookAllow), timeoutMs },
  targets: {
    webhook: openWebhook,
    mqtt: openMqtt,
    kafka: openKafkaTarget,
    postgres: openPostgresTarget,
    influx: openInflux,
    s3: openS3Target,
    amqp: openAmqp,
  },
})
