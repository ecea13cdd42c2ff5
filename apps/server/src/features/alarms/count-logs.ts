import { dayMs } from '@ithings/contract/durations.ts'
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { badField } from '@ithings/contract/errors.ts'
import type { countAlarmLogs as endpoint } from '@ithings/contract/features/alarms/record.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { readRange } from './time-range.ts'

/** Without a range the last day. A bucket's timestamp is its start; empty buckets are told, too. */
export async function countLogs(db: Db, input: BodyOutput<typeof endpoint>, now: number) {
  const { alarmRecordID, buckets } = input
  const range = readRange(input.timeRange)
  const end = range.end ?? now
  const start = range.start ?? end - dayMs
  if (start >= end) throw badField('timeRange', '开始时间须早于结束时间')
  const interval = Math.max(1, Math.ceil((end - start) / buckets))
  const { rows } = await sql<{ bucket: number; count: number }>`
    select (created_at - ${start}::bigint) / ${interval}::bigint as bucket, count(*) as count from alarm_log
    where created_at >= ${start} and created_at <= ${end}
    ${alarmRecordID ? sql`and alarm_record_id = ${alarmRecordID}::bigint` : sql``} group by 1`.execute(db)
  const counts = new Map(rows.map((row) => [row.bucket, row.count]))
  // The last moment belongs to the last bucket.
  const last = buckets - 1
  const extra = counts.get(buckets) ?? 0
  const list = Array.from({ length: buckets }, (_, index) => ({
    timestamp: start + index * interval,
    count: (counts.get(index) ?? 0) + (index === last ? extra : 0),
  }))
  return { list, interval }
}
