import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { listConfigPushDevices as endpoint } from '@ithings/contract/features/remote-config.ts'
import { containsPattern, fetchPage } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import { requirePush } from './run-id.ts'

const columns = {
  deviceName: 'row.device_name',
  state: 'row.status',
  sentTime: 'row.sent_at',
  doneTime: 'row.done_at',
} as const

/** In the order in which they are sent to. */
export async function listPushDevices(db: Db, input: BodyOutput<typeof endpoint>) {
  const { runID } = await requirePush(db, input.runID)
  const filtered = db
    .selectFrom('rollout_device as row')
    .leftJoin('device', 'device.device_id', 'row.device_id')
    .leftJoin('device_config', 'device_config.device_id', 'row.device_id')
    .where('row.run_id', '=', runID)
    .$if(input.state !== undefined, (q) => q.where('row.status', '=', input.state ?? 0))
    .$if(input.deviceName !== undefined, (q) =>
      q.where('row.device_name', 'ilike', containsPattern(input.deviceName ?? '')),
    )
  const page = await fetchPage(
    filtered,
    (q) =>
      q
        .select(['row.device_name', 'row.status', 'row.code', 'row.msg', 'row.attempts', 'row.sent_at', 'row.done_at'])
        .select(['device.device_alias', 'device.is_online', 'device_config.config_id']),
    input.page,
    { columns, fallback: { column: 'row.position', desc: false } },
  )
  const list = page.list.map((row) => ({
    deviceName: row.device_name,
    deviceAlias: row.device_alias ?? '',
    isOnline: row.is_online ?? 2,
    state: row.status,
    code: row.code,
    msg: row.msg,
    attempts: row.attempts,
    configID: row.config_id ?? 0,
    sentTime: row.sent_at,
    doneTime: row.done_at,
  }))
  return { list, total: page.total }
}
