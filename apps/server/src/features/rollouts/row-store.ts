/** Rows read under their locks and written back, many at a time. */
import { clipKept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import { jsonText, storableText } from '#db/json-text.ts'
import type { Db } from '#db/schema.ts'
import type { RolloutKindName } from './rollout-kind.ts'
import type { HeldRow, RowColumns } from './run-row.ts'

export type RowRef = { id: number } | { kind: RolloutKindName; deviceID: number; token: string }

export type FoundRow = RowColumns & { run_kind: RolloutKindName; topic: string; retries: number; retry_ms: number }

export async function lockRows(db: Db, refs: RowRef[]): Promise<FoundRow[]> {
  const ids = refs.flatMap((ref) => ('id' in ref ? [ref.id] : []))
  const asked = refs.flatMap((ref) => ('id' in ref ? [] : [ref]))
  const { rows } = await sql<FoundRow>`
    select one.*, run.kind as run_kind, run.topic, run.retries, run.retry_ms
    from rollout_device one join rollout run using (run_id)
    where one.id in (
      select unnest(${ids}::bigint[])
      union select open.id from unnest(
        ${asked.map(({ deviceID }) => deviceID)}::bigint[], ${asked.map(({ token }) => token)}::text[]
      ) as asked (device_id, token) join rollout_device open
        on open.device_id = asked.device_id and open.client_token = asked.token and open.state in (1, 2)
    ) order by one.id for update of one`.execute(db)
  return rows
}

/**
 * Those that may be online. Held until the parking is written: a device that connects now is either seen here or sees
 * the parked row. Whoever writes a device meanwhile is not waited for: that row is tried again soon instead.
 */
export async function lockOffline(db: Db, devices: number[]): Promise<Set<number>> {
  if (devices.length === 0) return new Set()
  const { rows } = await sql<{ device_id: number; is_online: number }>`
    select device_id, is_online from device where device_id = any (${devices}) for share skip locked`.execute(db)
  const away = new Set(rows.filter((row) => row.is_online !== 1).map((row) => row.device_id))
  return new Set(devices.filter((device) => !away.has(device)))
}

const inRange = (value: number): number => Math.max(-2_147_483_648, Math.min(2_147_483_647, Math.trunc(value) || 0))

export async function writeRows(db: Db, rows: HeldRow[], now: number): Promise<void> {
  if (rows.length === 0) return
  const all = <T>(read: (row: HeldRow) => T): T[] => rows.map(read)
  await sql`
    update rollout_device one set state = new.state, status = new.status, code = new.code, msg = new.msg,
      attempts = new.attempts, client_token = new.client_token, detail = new.detail, due_at = new.due_at,
      claimed_by = new.claimed_by, sent_at = new.sent_at, done_at = new.done_at, updated_at = ${now}
    from unnest(
      ${all((row) => row.id)}::bigint[], ${all((row) => row.state)}::smallint[], ${all((row) => row.status)}::smallint[],
      ${all((row) => inRange(row.code))}::integer[], ${all((row) => storableText(clipKept(row.msg, 500)))}::text[],
      ${all((row) => row.attempts)}::smallint[], ${all((row) => storableText(row.clientToken))}::text[],
      ${all((row) => jsonText(row.detail))}::jsonb[], ${all((row) => Math.trunc(row.dueAt))}::bigint[],
      ${all((row) => row.claimedBy)}::text[], ${all((row) => row.sentAt)}::bigint[], ${all((row) => row.doneAt)}::bigint[]
    ) as new (id, state, status, code, msg, attempts, client_token, detail, due_at, claimed_by, sent_at, done_at)
    where one.id = new.id`.execute(db)
}
