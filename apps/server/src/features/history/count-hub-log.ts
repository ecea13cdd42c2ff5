import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { countHubLog as endpoint } from '@ithings/contract/features/history.ts'
import { toStr } from '@ithings/contract/wire.ts'
import { sql } from 'kysely'
import type { HistoryDeps } from './history-deps.ts'
import { hubLogCondition } from './hub-log-filter.ts'
import { withinQueryLimit } from './limited-query.ts'

/** How many lines over time; every bucket is there, the empty ones too. */
export async function countHubLog({ db, clock }: HistoryDeps, { buckets, ...filter }: BodyOutput<typeof endpoint>) {
  const { timeStart } = filter
  const timeEnd = Math.max(filter.timeEnd || clock.now(), timeStart + 1)
  const interval = Math.max(1, Math.ceil((timeEnd - timeStart) / buckets))
  const counted = await withinQueryLimit(db, async (tx) => {
    const { where } = await hubLogCondition(tx, { ...filter, timeEnd })
    const { rows } = await sql<{ bucket: number; total: number; failed: number }>`
      select (j.at - ${timeStart}) / ${interval} as bucket, count(*) as total,
        count(*) filter (where j.code <> 200) as failed
      from journal j where ${where} group by 1`.execute(tx)
    return new Map(rows.map((row) => [row.bucket, row]))
  })
  const length = Math.ceil((timeEnd - timeStart) / interval)
  const list = Array.from({ length }, (_, bucket) => {
    const { total = 0, failed = 0 } = counted.get(bucket) ?? {}
    return { timestamp: toStr(timeStart + bucket * interval), total, failed }
  })
  return { list, interval }
}
