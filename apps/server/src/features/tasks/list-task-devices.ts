import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { errors } from '@ithings/contract/errors.ts'
import type {
  listTaskDevices as endpoint,
  TaskDevice,
  taskDeviceSortFields,
} from '@ithings/contract/features/task-results.ts'
import { toSecondsStr } from '@ithings/contract/wire.ts'
import { type ReferenceExpression, type Selectable, sql } from 'kysely'
import { containsPattern, fetchPage } from '#db/page.ts'
import { saidCondition } from '#db/said-texts.ts'
import type { Db, Schema } from '#db/schema.ts'
import type { RolloutDeviceTable } from '#db/tables/rollouts.ts'
import { findRun, findTask } from './store.ts'

type Input = BodyOutput<typeof endpoint>
export type DeviceFilter = Pick<Input, 'deviceName' | 'status' | 'reason'>
type Row = Selectable<RolloutDeviceTable>

const columns: Record<(typeof taskDeviceSortFields)[number], ReferenceExpression<Schema, 'rollout_device'>> = {
  deviceName: 'device_name',
  status: 'status',
  attempts: 'attempts',
  sentTime: 'sent_at',
  doneTime: 'done_at',
}

/** @returns makes the query: kept sentences are looked up once */
export async function devicesOfRun(db: Db, runID: number, { deviceName, status, reason }: DeviceFilter) {
  const rows = sql`rollout_device where run_id = ${runID}`
  const said = reason && (await saidCondition(db, { column: sql`msg`, rows, words: reason, whole: false }))
  return () => {
    let query = db.selectFrom('rollout_device').where('run_id', '=', runID)
    if (deviceName) query = query.where('device_name', 'ilike', containsPattern(deviceName))
    if (status) query = query.where('status', '=', status)
    if (said) query = query.where(said)
    return query
  }
}

interface Known {
  id: number
  alias: string | null
  /** null: the device is gone. */
  is_online: number | null
  first_login: Date | null
  reply: { code: number; msg: string; data: unknown } | null
}

/**
 * What stands elsewhere about the devices of a page. A reply is what the device said, so neither a time-out, nor a
 * desired value, nor a command that was refused before it was sent.
 */
async function lookUp(db: Db, rows: Row[]): Promise<Map<number, Known>> {
  const found = await sql<Known>`
    select asked.id, d.device_alias as alias, d.is_online, d.first_login,
      case when c.code is null then null
        else jsonb_build_object('code', c.code, 'msg', c.status, 'data', c.reply) end as reply
    from unnest(${rows.map((row) => row.id)}::bigint[], ${rows.map((row) => row.device_id)}::bigint[],
      ${rows.map((row) => row.client_token)}::text[]) as asked (id, device_id, client_token)
    left join device d on d.device_id = asked.device_id
    left join lateral (
      select code, status, reply from device_command
      where client_token = asked.client_token and asked.client_token <> '' and device_id = asked.device_id
        and done_at > sent_at and not via_shadow
        and not (code = ${sql.lit(errors.timeout.code)} and reply = 'null'::jsonb)
      order by id desc limit 1) c on true`.execute(db)
  return new Map(found.rows.map((row) => [row.id, row]))
}

export async function toTaskDevices(db: Db, rows: Row[]): Promise<TaskDevice[]> {
  if (rows.length === 0) return []
  const known = await lookUp(db, rows)
  return rows.map((row) => {
    const more = known.get(row.id)
    return {
      deviceName: row.device_name,
      status: row.status,
      code: row.code,
      msg: row.msg,
      attempts: row.attempts,
      sentTime: row.sent_at,
      doneTime: row.done_at,
      clientToken: row.client_token,
      deviceAlias: more?.alias ?? '',
      isOnline: more?.is_online ?? 0,
      firstLogin: more?.is_online ? toSecondsStr(more.first_login) : '',
      reply: more?.reply ? JSON.stringify(more.reply) : '',
    }
  })
}

export async function listTaskDevices(db: Db, { taskID, runID, page, ...filter }: Input) {
  const run = await findRun(db, await findTask(db, taskID), runID)
  if (!run) return { list: [], total: 0 }
  const devices = await devicesOfRun(db, run.run_id, filter)
  const { list, total } = await fetchPage(devices(), (query) => query.selectAll(), page, {
    columns,
    fallback: { column: 'position', desc: false },
  })
  return { list: await toTaskDevices(db, list), total }
}
