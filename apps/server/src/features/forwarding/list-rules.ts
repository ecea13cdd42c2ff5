import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type {
  ForwardRule,
  forwardSortFields,
  listForwards as listEndpoint,
} from '@ithings/contract/features/forwarding/rules.ts'
import { toSeconds } from '@ithings/contract/wire.ts'
import { type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import { asked, fetchPage } from '#db/page.ts'
import type { Schema } from '#db/schema.ts'
import type { ForwardRuleTable, ForwardStateTable } from '#db/tables/forwarding.ts'
import type { ForwardingDeps } from './forwarding-deps.ts'
import { maskTarget } from './masked-target.ts'
import { countWaiting, type Position } from './position.ts'
import { readTarget } from './rule-target.ts'
import { findRule } from './store.ts'

const columns = {
  name: 'forward_rule.name',
  createdTime: 'forward_rule.created_at',
  status: 'forward_rule.status',
} as const satisfies Record<(typeof forwardSortFields)[number], string>

type Row = Selectable<ForwardRuleTable> &
  Pick<
    Selectable<ForwardStateTable>,
    'sent' | 'rate' | 'oldest_at' | 'loses_at' | 'last_sent_at' | 'error' | 'error_at'
  > & { letters: number }

const toRule = ({ db, clock }: ForwardingDeps, row: Row): ForwardRule => ({
  id: row.id,
  name: row.name,
  desc: row.description,
  status: row.status,
  sources: row.sources,
  filter: row.filter,
  form: row.form,
  script: row.script,
  target: maskTarget(readTarget(db, row.target)),
  lagSeconds: row.lag_seconds,
  channelIDs: row.channel_ids,
  rev: row.rev,
  createdTime: toSeconds(row.created_at),
  sent: row.sent,
  deadLetters: row.letters,
  rate: row.rate,
  lagMs: row.oldest_at === 0 ? 0 : Math.max(0, clock.now() - row.oldest_at),
  losesAt: row.loses_at,
  lastSentTime: row.last_sent_at,
  error: row.error,
  errorTime: row.error_at,
})

const rowsOf = ({ db }: ForwardingDeps) =>
  db.selectFrom('forward_rule').innerJoin('forward_state', 'forward_state.rule_id', 'forward_rule.id')

const withState = (query: SelectQueryBuilder<Schema, 'forward_rule' | 'forward_state', object>) =>
  query
    .selectAll('forward_rule')
    .select(['sent', 'rate', 'oldest_at', 'loses_at', 'last_sent_at', 'error', 'error_at'])
    .select(sql<number>`(select count(*) from forward_dead_letter l where l.rule_id = forward_rule.id)`.as('letters'))

export async function listRules(deps: ForwardingDeps, { name, status, type, page }: BodyOutput<typeof listEndpoint>) {
  const filtered = rowsOf(deps).where((eb) =>
    asked(eb, {
      equal: { 'forward_rule.status': status, 'forward_rule.target_type': type },
      contains: { 'forward_rule.name': name },
    }),
  )
  const found = await fetchPage(filtered, withState, page, {
    columns,
    fallback: { column: 'forward_rule.id', desc: true },
  })
  return { list: found.list.map((row) => toRule(deps, row)), total: found.total }
}

export async function readRule(deps: ForwardingDeps, { id }: { id: number }) {
  await findRule(deps.db, id)
  const query = rowsOf(deps).where('forward_rule.id', '=', id)
  const row = await withState(query).select('position').executeTakeFirstOrThrow()
  return { ...toRule(deps, row), waiting: await countWaiting(deps.tail, row.sources, row.position as Position) }
}

export async function recentMessages({ db }: ForwardingDeps, { id }: { id: number }) {
  await findRule(db, id)
  const row = await db.selectFrom('forward_state').select('recent').where('rule_id', '=', id).executeTakeFirst()
  return { list: row?.recent ?? [] }
}
