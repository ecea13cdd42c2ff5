import type { HomeRun, HomeSummary } from '@ithings/contract/features/home.ts'
import { kept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { isAway, RowState, RunState } from '#features/rollouts/door.ts'

interface RunRow {
  kind: HomeRun['kind']
  run_id: number
  owner_id: number
  product_id: string
  state: number
  per_minute: number
  total: number
  success: number
  failed: number
  sent: number
  away: number
  /** Their turn has come; and how many of the first ones are there. */
  due: number
  ready: number
  task_id: number | null
  task_uid: string
  stage: number
  stages: number
  name: string
}

const mostRuns = 6
/** Of so many it is looked up whether they are there. */
const mostLooked = 1_000
export const runKinds: readonly HomeRun['kind'][] = ['ota', 'task', 'config']

function toRun(row: RunRow): HomeRun {
  const { kind, total, success, failed, sent, state } = row
  // Who is away is found when he is tried: until then he must not make a forecast.
  const moving = row.due > mostLooked ? row.due : row.ready
  const isPaused = state === RunState.paused
  return {
    kind,
    id: String(kind === 'config' ? row.run_id : (row.task_id ?? row.owner_id)),
    taskUid: row.task_uid,
    productID: row.product_id,
    name: kind === 'config' && row.name !== '' ? kept('{product} 配置下发', { product: row.name }) : row.name,
    total,
    success,
    failed,
    sent,
    stage: row.stages > 0 ? Math.min(row.stage + 1, row.stages) : 0,
    stages: row.stages,
    perMinute: row.per_minute,
    paused: isPaused,
    away: row.away,
    secondsLeft: isPaused || row.per_minute <= 0 ? 0 : Math.ceil((moving / row.per_minute) * 60),
  }
}

/** Runs of these kinds that are open now; a schedule that waits for its time is not running. */
export async function readRunning(
  db: Db,
  now: number,
  kinds: readonly HomeRun['kind'][],
): Promise<HomeSummary['running']> {
  const isOpen = sql`state in (1, 2, 5) and start_at <= ${now} and kind = any(${kinds})`
  const isDue = sql`one.run_id = run.run_id and one.state = 1 and one.due_at < 9000000000000000 and one.due_at <= ${now}
    and one.position <= coalesce(run.limit_to, 2147483647)`
  const [counted, listed] = await Promise.all([
    sql<{ kind: HomeRun['kind']; runs: number }>`
      select kind, count(*)::integer as runs from rollout where ${isOpen} group by kind`.execute(db),
    sql<RunRow>`
      select run.kind, run.run_id, run.owner_id, run.product_id, run.state, run.per_minute, run.total, run.success,
        run.failed, ota.task_id, coalesce(ota.task_uid, '') as task_uid, coalesce(ota.stage, 0) as stage,
        coalesce(jsonb_array_length(ota.plan -> 'stages'), 0) as stages,
        coalesce(case run.kind when 'ota' then firmware.name || ' ' || firmware.version
          when 'task' then task.name else product.product_name end, '') as name,
        (select count(*)::integer from rollout_device one
          where one.run_id = run.run_id and one.state = ${sql.lit(RowState.sent)}) as sent,
        (select count(*)::integer from rollout_device
          where rollout_device.run_id = run.run_id and ${isAway(now)}) as away,
        (select count(*)::integer from rollout_device one where ${isDue}) as due,
        (select count(*)::integer from device where is_online = 1 and device_id in (
          select device_id from rollout_device one where ${isDue} order by position limit ${sql.lit(mostLooked)})) as ready
      from (select * from rollout where ${isOpen} order by start_at desc, run_id desc limit ${sql.lit(mostRuns)}) run
      left join ota_task ota on run.kind = 'ota' and ota.run_id = run.run_id
      left join firmware on firmware.firmware_id = ota.firmware_id
      left join device_task task on run.kind = 'task' and task.task_id = run.owner_id
      left join product on product.product_id = run.product_id
      order by run.start_at desc, run.run_id desc`.execute(db),
  ])
  const of = (kind: HomeRun['kind']) => counted.rows.find((row) => row.kind === kind)?.runs ?? 0
  return { ota: of('ota'), task: of('task'), config: of('config'), list: listed.rows.map(toRun) }
}
