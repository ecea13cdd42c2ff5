/**
 * Sends what waits. Every server runs one; the database shares the work out (outbox-store.ts). A notice is sent at
 * least once: only a crash between the send and its note makes a repetition, which carries the same delivery id.
 */
import { channelSettings } from '@ithings/contract/features/notify.ts'
import { openJson, places } from '#db/sealed.ts'
import type { NotifyKit } from './notify-kit.ts'
import { type ClaimedDelivery, claimDue, countWaiting, noteResult, refuseOldest } from './outbox-store.ts'
import { type Answer, failure } from './senders/sender.ts'

export interface OutboxLimits {
  /** Sends at a time of this server, and of them to one host. */
  sending: number
  perLane: number
  /** Waiting ones, of all servers; the oldest beyond that are given up. */
  waiting: number
  lookEveryMs: number
}

const defaultLimits: OutboxLimits = { sending: 32, perLane: 4, waiting: 10_000, lookEveryMs: 1_000 }

export interface Outbox {
  start(): void
  /** Takes no more and waits for what is on its way. */
  stop(): Promise<void>
}

export function makeOutbox(kit: NotifyKit, given: Partial<OutboxLimits> = {}): Outbox {
  const limits = { ...defaultLimits, ...given }
  const { db, clock, log, metrics, senders } = kit
  const busy = new Map<string, number>()
  const flying = new Set<Promise<void>>()
  let looking: Promise<void> | undefined
  let again = false
  let stopped = true
  let timer: NodeJS.Timeout | undefined

  async function trySend(delivery: ClaimedDelivery): Promise<Answer> {
    try {
      return await senders[delivery.type]({
        id: String(delivery.id),
        settings: channelSettings.parse(openJson(db, places.delivery, delivery.settings)),
        title: delivery.title,
        content: delivery.content,
        payload: delivery.payload,
        source: delivery.source,
        sourceName: delivery.source_name,
        productID: delivery.product_id,
        deviceName: delivery.device_name,
        createdTime: delivery.created_at,
      })
    } catch (error) {
      log.error({ err: error, delivery: delivery.id }, 'a notification could not be made')
      return failure('平台内部错误，未能发送')
    }
  }

  async function carryOut(delivery: ClaimedDelivery): Promise<void> {
    const begun = performance.now()
    const answer = await trySend(delivery)
    const latency = Math.round(performance.now() - begun)
    metrics.seconds.observe({ type: delivery.type }, latency / 1000)
    try {
      const result = await noteResult(db, delivery, answer, { now: clock.now(), latency })
      metrics.tries.inc({ type: delivery.type, result })
    } catch (error) {
      // Its claim runs out and it is tried again.
      log.error({ err: error, delivery: delivery.id }, 'the result of a notification could not be noted')
    }
  }

  function launch(delivery: ClaimedDelivery): void {
    busy.set(delivery.lane, (busy.get(delivery.lane) ?? 0) + 1)
    metrics.sending.inc()
    const flight = carryOut(delivery).finally(() => {
      const left = (busy.get(delivery.lane) ?? 1) - 1
      if (left > 0) busy.set(delivery.lane, left)
      else busy.delete(delivery.lane)
      metrics.sending.dec()
      flying.delete(flight)
      look()
    })
    flying.add(flight)
  }

  async function bound(): Promise<void> {
    const waiting = await countWaiting(db)
    metrics.waiting.set(waiting)
    const refused = await refuseOldest(db, waiting - limits.waiting, limits.waiting, clock.now())
    if (refused === 0) return
    metrics.refused.inc(refused)
    log.error({ refused, limit: limits.waiting }, 'too many notifications wait, the oldest were given up')
  }

  async function lookOnce(): Promise<void> {
    try {
      const room = limits.sending - flying.size
      const claimed = await claimDue(db, { now: clock.now(), room, perLane: limits.perLane, busy })
      for (const delivery of claimed) launch(delivery)
    } catch (error) {
      log.error({ err: error }, 'the outbox cannot be read, trying again')
    }
  }

  function look(): void {
    if (stopped) return
    again = true
    looking ??= (async () => {
      while (again && !stopped) {
        again = false
        await lookOnce()
      }
    })().finally(() => {
      looking = undefined
    })
  }

  let bounding: Promise<void> | undefined
  function tick(): void {
    look()
    bounding ??= bound()
      .catch((error: unknown) => log.error({ err: error }, 'the outbox cannot be counted'))
      .finally(() => {
        bounding = undefined
      })
  }

  kit.bell.onRing(look)
  return {
    start() {
      stopped = false
      timer = setInterval(tick, limits.lookEveryMs).unref()
      tick()
    },
    async stop() {
      stopped = true
      clearInterval(timer)
      await looking
      await bounding
      await Promise.all(flying)
    },
  }
}
