import type { DataOf } from '@ithings/contract/endpoint.ts'
import { OtaStatus } from '@ithings/contract/features/ota/states.ts'
import { type analyseOtaTask, otaTrendSeconds } from '@ithings/contract/features/ota/task.ts'
import { fill, sayKept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { sumStages } from './task-counts.ts'
import { requireTask } from './task-store.ts'
import { countsOf, type TaskRow, taskColumns, taskTables } from './task-wire.ts'

const mostReasons = 50
/** The newest day of spans in which something happened. */
const mostSpans = 144
const spanMs = otaTrendSeconds * 1000

type Reason = DataOf<typeof analyseOtaTask>['reasons'][number]
type Trend = DataOf<typeof analyseOtaTask>['trend']

async function trendOf(db: Db, runID: number): Promise<Trend> {
  const { rows } = await sql<Trend[number]>`
    select (done_at / ${spanMs}::bigint) * ${otaTrendSeconds} as time,
      (count(*) filter (where status = ${OtaStatus.success}))::integer as success,
      (count(*) filter (where status = ${OtaStatus.failed}))::integer as failed
    from rollout_device
    where run_id = ${runID} and status in (${OtaStatus.success}, ${OtaStatus.failed}) and done_at > 0
    group by 1 order by 1 desc limit ${mostSpans}`.execute(db)
  return rows.reverse()
}

/** Rows of earlier versions have the same reasons as plain text. */
function joinSame(reasons: Reason[]): Reason[] {
  const same = Map.groupBy(reasons, ({ reason }) => sayKept(reason, fill))
  return [...same.values()]
    .flatMap(([first, ...others]) =>
      first ? { ...first, count: others.reduce((sum, { count }) => sum + count, first.count) } : [],
    )
    .sort((a, b) => b.count - a.count)
}

/** Counts of all seven codes, why devices failed, most first, and how the ends came over time. */
export async function analyseTask(db: Db, { taskUid }: { taskUid: string }): Promise<DataOf<typeof analyseOtaTask>> {
  const { runID } = await requireTask(db, { taskUid })
  const { rows: tasks } = await sql<TaskRow>`
    select ${taskColumns} from ${taskTables} where task.task_uid = ${taskUid}`.execute(db)
  const counts = (await countsOf(db, tasks, true)).get(runID) ?? []
  const { rows: reasons } = await sql<Reason>`
    select msg as reason, count(*)::integer as count from rollout_device
    where run_id = ${runID} and status = ${OtaStatus.failed}
    group by msg order by count(*) desc, msg limit ${mostReasons}`.execute(db)
  return { result: JSON.stringify(sumStages(counts)), reasons: joinSame(reasons), trend: await trendOf(db, runID) }
}
