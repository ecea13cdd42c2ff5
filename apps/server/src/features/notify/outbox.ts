/**
 * Sends what waits. Every server runs one; the database shares the work out (outbox-store.ts). A notice is sent at
 * least once: only a crash between the send and its note makes a repetition, which carries the same delivery id.
 */
import { channelSettings } from '@ithings/contract/features/notify.ts'
import { kept, sayKept } from '@ithings/contract/text.ts'
import { openJson, places } from '#db/sealed.ts'
import { translatorOf } from '#http/answer-language.ts'
import type { NotifyDeps } from './notify-deps.ts'
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

/** A file that was cleared away meanwhile does not keep the words back. */
async function openAttachment(files: NotifyDeps['files'], { attachment }: ClaimedDelivery) {
  if (!('path' in attachment) || !(await files.stat(attachment.path))) return undefined
  return { name: attachment.name, content: () => files.read(attachment.path) }
}

async function trySend({ db, log, senders, files }: NotifyDeps, delivery: ClaimedDelivery): Promise<Answer> {
  try {
    const attachment = await openAttachment(files, delivery)
    return await senders[delivery.type]({
      id: String(delivery.id),
      settings: channelSettings.parse(openJson(db, places.delivery, delivery.settings)),
      language: delivery.language,
      title: delivery.title,
      content: delivery.content,
      payload: delivery.payload,
      source: delivery.source,
      sourceName: sayKept(delivery.source_name, translatorOf(delivery.language)),
      productID: delivery.product_id,
      deviceName: delivery.device_name,
      createdTime: delivery.created_at,
      ...(attachment && { attachment }),
    })
  } catch (error) {
    log.error({ err: error, delivery: delivery.id }, 'a notification could not be made')
    return failure(kept('平台内部错误，未能发送'))
  }
}

/** When the result cannot be noted, its claim runs out and it is tried again. */
async function carryOut(deps: NotifyDeps, delivery: ClaimedDelivery): Promise<void> {
  const { db, clock, metrics } = deps
  const begun = performance.now()
  const answer = await trySend(deps, delivery)
  const latency = Math.round(performance.now() - begun)
  metrics.seconds.observe({ type: delivery.type }, latency / 1000)
  const result = await noteResult(db, delivery, answer, { now: clock.now(), latency })
  metrics.tries.inc({ type: delivery.type, result })
}

async function refuseSurplus({ db, clock, log, metrics }: NotifyDeps, limit: number): Promise<void> {
  const waiting = await countWaiting(db)
  metrics.waiting.set(waiting)
  const refused = await refuseOldest(db, waiting - limit, limit, clock.now())
  if (refused === 0) return
  metrics.refused.inc(refused)
  log.error({ refused, limit }, 'too many notifications wait, the oldest were given up')
}

export function makeOutbox(deps: NotifyDeps, given: Partial<OutboxLimits> = {}): Outbox {
  const { sending, perLane, waiting, lookEveryMs: everyMs } = { ...defaultLimits, ...given }
  const { db, clock, metrics, background } = deps
  const busy = new Map<string, number>()
  const count = (lane: string, change: 1 | -1) => {
    const now = (busy.get(lane) ?? 0) + change
    if (now > 0) busy.set(lane, now)
    else busy.delete(lane)
    metrics.sending.inc(change)
  }

  const deliveries = background.claimLoop<ClaimedDelivery>({
    name: 'notify.outbox',
    everyMs,
    places: sending,
    claim: (room) => claimDue(db, { now: clock.now(), room, perLane, busy }),
    async work(delivery) {
      count(delivery.lane, 1)
      await carryOut(deps, delivery).finally(() => count(delivery.lane, -1))
    },
  })
  const bound = background.loop({
    name: 'notify.bound',
    everyMs,
    turn: () => refuseSurplus(deps, waiting).then(() => undefined),
  })
  deps.bell.onRing(deliveries.wake)
  return {
    start() {
      deliveries.start()
      bound.start()
    },
    async stop() {
      // Together: while one of them is waited for the other takes nothing more.
      await Promise.all([deliveries.stop(), bound.stop()])
    },
  }
}
