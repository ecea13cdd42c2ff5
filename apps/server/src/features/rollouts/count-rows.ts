import { errors } from '@ithings/contract/errors.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { type RowState, type RunCounts, RowState as States } from './rollout-kind.ts'

/** @param since without those that ended before (ms) */
export async function countRows(db: Db, runID: number, since = 0): Promise<RunCounts> {
  const { rows } = await sql<{ state: RowState; status: number; rows: number }>`
    select state, status, count(*)::integer as rows from rollout_device where run_id = ${runID}
      ${since > 0 ? sql`and (state in (1, 2) or done_at >= ${since})` : sql``} group by state, status`.execute(db)
  const counts: RunCounts = { byState: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 }, byStatus: {} }
  for (const { state, status, rows: found } of rows) {
    counts.byState[state] += found
    counts.byStatus[status] = (counts.byStatus[status] ?? 0) + found
  }
  return counts
}

export const openOf = ({ byState }: RunCounts): number => byState[States.waiting] + byState[States.sent]

export const totalOf = ({ byState }: RunCounts): number => Object.values(byState).reduce((sum, count) => sum + count, 0)

/** Rows that wait because their device was not there: until it comes, or for their next try. */
export const isAway = (now: number): RawBuilder<boolean> =>
  sql<boolean>`state = 1 and code = ${sql.lit(errors.notOnline.code)} and due_at > ${now}`
