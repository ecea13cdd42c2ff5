/** The outbox as the worker sees it: claim, note the result, give up what is too much. */
import { type ChannelLanguage, DeliveryState } from '@ithings/contract/features/notify.ts'
import type { ChannelType } from '@ithings/contract/rules/channel-types.ts'
import { clipKept, kept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import { storableText } from '#db/json-text.ts'
import type { Db } from '#db/schema.ts'
import type { Attachment } from '#db/tables/notify.ts'
import type { Answer } from './senders/sender.ts'

/** A server that dies with a delivery in its hands leaves it to the others after that long. */
export const leaseMs = 60_000
/** After the first, second ... try; then it is given up. */
export const backOffMs = [10_000, 60_000, 300_000, 1_800_000] as const
/** Looked at for one claim; what is behind them has its turn next time. */
const scanRows = 1_000
const maxError = 1_000

export interface Claim {
  now: number
  /** How many this server has room for. */
  room: number
  /** At most so many to one host; what this server sends there already is in `busy`. */
  perLane: number
  busy: ReadonlyMap<string, number>
}

export interface ClaimedDelivery {
  id: number
  type: ChannelType
  lane: string
  settings: unknown
  language: ChannelLanguage
  title: string
  content: string
  payload: Record<string, unknown>
  source: string
  source_name: string
  product_id: string
  device_name: string
  attachment: Attachment | Record<string, never>
  attempts: number
  created_at: number
}

/**
 * Several servers claim at once: a locked row is passed over, and one that another has claimed meanwhile is no longer
 * due when its lock is taken. The claim counts as a try and puts the next one off, so a crash costs a minute, no more.
 */
export async function claimDue(db: Db, { now, room, perLane, busy }: Claim): Promise<ClaimedDelivery[]> {
  if (room <= 0) return []
  const full = [...busy].filter(([, count]) => count >= perLane).map(([lane]) => lane)
  const inUse = JSON.stringify(Object.fromEntries(busy))
  const { rows } = await sql<ClaimedDelivery>`
    with due as (
      select id, lane, next_at from notify_delivery
      where state = ${DeliveryState.waiting} and next_at <= ${now} and not (lane = any(${full}::text[]))
      order by next_at, id limit ${scanRows}
    ),
    ranked as (
      select id, row_number() over (partition by lane order by next_at, id)
        + coalesce((${inUse}::jsonb ->> lane)::integer, 0) as place
      from due
    ),
    picked as (
      select d.id from notify_delivery d join ranked on ranked.id = d.id
      where ranked.place <= ${perLane} and d.state = ${DeliveryState.waiting} and d.next_at <= ${now}
      order by d.next_at, d.id limit ${room} for update of d skip locked
    )
    update notify_delivery d
    set claimed_at = ${now}, next_at = ${now + leaseMs}, attempts = d.attempts + 1
    from picked where d.id = picked.id
    returning d.id, d.type, d.lane, d.settings, d.language, d.title, d.content, d.payload, d.source, d.source_name,
      d.product_id, d.device_name, d.attachment, d.attempts, d.created_at`.execute(db)
  return rows
}

/** What the log shows of an answer: nothing when all is well. */
export const errorText = (answer: Answer): string =>
  clipKept(storableText(answer.ok ? (answer.warning ?? '') : answer.msg), maxError)

export type TryResult = 'sent' | 'retry' | 'failed'

export const resultOf = (answer: Answer, attempts: number): TryResult =>
  answer.ok ? 'sent' : answer.final || attempts > backOffMs.length ? 'failed' : 'retry'

/** What is over keeps no address and no secret (settings). */
export async function noteResult(
  db: Db,
  { id, attempts }: Pick<ClaimedDelivery, 'id' | 'attempts'>,
  answer: Answer,
  { now, latency }: { now: number; latency: number },
): Promise<TryResult> {
  const result = resultOf(answer, attempts)
  await db
    .updateTable('notify_delivery')
    .set({
      code: answer.code,
      latency,
      error: errorText(answer),
      ...(result === 'retry'
        ? { next_at: now + (backOffMs[attempts - 1] ?? leaseMs) }
        : {
            state: result === 'sent' ? DeliveryState.sent : DeliveryState.failed,
            sent_at: result === 'sent' ? now : 0,
            next_at: 0,
            settings: '{}',
          }),
    })
    .where('id', '=', id)
    .where('state', '=', DeliveryState.waiting)
    .execute()
  return result
}

export const countWaiting = async (db: Db): Promise<number> => {
  const { count } = await db
    .selectFrom('notify_delivery')
    .select(sql<number>`count(*)`.as('count'))
    .where('state', '=', DeliveryState.waiting)
    .executeTakeFirstOrThrow()
  return count
}

/** decisions.md 4.3: nothing is unbounded. The oldest are given up, where people see it. @returns how many */
export async function refuseOldest(db: Db, surplus: number, limit: number, now: number): Promise<number> {
  if (surplus <= 0) return 0
  const { numAffectedRows = 0n } = await sql`
    update notify_delivery set state = ${DeliveryState.failed}, next_at = 0, settings = '{}',
      error = ${kept('等待发送的通知超过 {count} 条，最早的被放弃', { count: limit })}
    where id in (
      select id from notify_delivery
      where state = ${DeliveryState.waiting} and (claimed_at = 0 or claimed_at <= ${now - leaseMs})
      order by id limit ${surplus} for update skip locked
    )`.execute(db)
  return Number(numAffectedRows)
}
