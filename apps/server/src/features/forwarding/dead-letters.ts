/** What targets refused for good: looked at, edited, sent again or thrown away. */
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import type {
  DeadLetter,
  deadLetterSortFields,
  deleteDeadLetters,
  listDeadLetters,
  resendDeadLetters,
} from '@ithings/contract/features/forwarding/rules.ts'
import type { Selectable } from 'kysely'
import { asked, fetchPage } from '#db/page.ts'
import type { ForwardDeadLetterTable } from '#db/tables/forwarding.ts'
import { type ForwardMessage, TargetAway } from '#ports/forward-target.ts'
import type { ForwardingDeps } from './forwarding-deps.ts'
import { openRuleTarget } from './rule-target.ts'
import { findRule } from './store.ts'

type Row = Selectable<ForwardDeadLetterTable>

const columns = { createdTime: 'created_at', time: 'time' } as const satisfies Record<
  (typeof deadLetterSortFields)[number],
  string
>

const toLetter = (row: Row): DeadLetter => ({
  id: row.id,
  messageID: row.message_id,
  source: row.source,
  productID: row.product_id,
  deviceName: row.device_name,
  time: row.time,
  createdTime: row.created_at,
  reason: row.reason,
  body: row.body,
})

export async function listLetters({ db }: ForwardingDeps, input: BodyOutput<typeof listDeadLetters>) {
  await findRule(db, input.id)
  const filtered = db.selectFrom('forward_dead_letter').where((eb) =>
    asked(eb, {
      equal: { rule_id: input.id, source: input.source },
      contains: { device_name: input.deviceName },
    }),
  )
  const page = await fetchPage(filtered, (query) => query.selectAll(), input.page, {
    columns,
    fallback: { column: 'id', desc: true },
  })
  return { list: page.list.map(toLetter), total: page.total }
}

const toMessage = (row: Row, body: string | undefined): ForwardMessage => ({
  id: row.message_id,
  source: row.source,
  time: row.time,
  productID: row.product_id,
  deviceName: row.device_name,
  identifier: row.identifier,
  data: row.data,
  body: body ?? row.body,
  contentType: row.content_type,
})

/** Those that arrived go; those that are refused again stay with the new reason. */
export async function resendLetters(deps: ForwardingDeps, input: BodyOutput<typeof resendDeadLetters>) {
  const { db, tools } = deps
  const rule = await findRule(db, input.id)
  const rows = await db
    .selectFrom('forward_dead_letter')
    .selectAll()
    .where('rule_id', '=', input.id)
    .where('id', 'in', input.letterIDs)
    .orderBy('id')
    .execute()
  if (rows.length === 0) return { sent: 0, refused: 0 }
  const target = openRuleTarget(deps, rule)
  const refused = new Map<number, string>()
  try {
    for (let from = 0; from < rows.length; from += target.most) {
      const piece = rows.slice(from, from + target.most).map((row) => toMessage(row, input.body))
      for (const { index, reason } of await target.send(piece, AbortSignal.timeout(4 * tools.timeoutMs)))
        refused.set(rows[from + index]?.id ?? 0, reason)
    }
  } catch (cause) {
    if (!(cause instanceof TargetAway)) throw cause
    throw new AppError(errors.parameter, { msg: cause.words, cause })
  } finally {
    await target.close().catch(() => undefined)
  }
  for (const [id, reason] of refused) {
    const changed = { reason, ...(input.body !== undefined && { body: input.body }) }
    await db.updateTable('forward_dead_letter').set(changed).where('id', '=', id).execute()
  }
  const sent = rows.map(({ id }) => id).filter((id) => !refused.has(id))
  if (sent.length > 0) await db.deleteFrom('forward_dead_letter').where('id', 'in', sent).execute()
  return { sent: sent.length, refused: refused.size }
}

export async function deleteLetters({ db }: ForwardingDeps, { id, letterIDs }: BodyOutput<typeof deleteDeadLetters>) {
  await findRule(db, id)
  const { numDeletedRows } = await db
    .deleteFrom('forward_dead_letter')
    .where('rule_id', '=', id)
    .$if(letterIDs !== undefined, (query) => query.where('id', 'in', [0, ...(letterIDs ?? [])]))
    .executeTakeFirst()
  return { deleted: Number(numDeletedRows) }
}
