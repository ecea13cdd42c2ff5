import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { listConfigPushDevices as endpoint } from '@ithings/contract/features/remote-config.ts'
import { asked, fetchPage } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import { deviceFacts } from './device-facts.ts'
import { requirePush } from './run-id.ts'

const columns = { deviceName: 'device_name', state: 'status', sentTime: 'sent_at', doneTime: 'done_at' } as const

/** In the order in which they are sent to: devices were listed by their ids, which are indexed. */
export async function listPushDevices(db: Db, input: BodyOutput<typeof endpoint>) {
  const { runID } = await requirePush(db, input.runID)
  const filtered = db
    .selectFrom('rollout_device')
    .where((eb) =>
      asked(eb, { equal: { run_id: runID, status: input.state }, contains: { device_name: input.deviceName } }),
    )
  const page = await fetchPage(
    filtered,
    (q) => q.select(['device_id', 'device_name', 'status', 'code', 'msg', 'attempts', 'sent_at', 'done_at']),
    input.page,
    { columns, fallback: { column: 'device_id', desc: false } },
  )
  const facts = await deviceFacts(
    db,
    page.list.map((row) => row.device_id),
  )
  const list = page.list.map((row) => {
    const device = facts.get(row.device_id)
    return {
      deviceName: row.device_name,
      deviceAlias: device?.device_alias ?? '',
      isOnline: device?.is_online ?? 2,
      state: row.status,
      code: row.code,
      msg: row.msg,
      attempts: row.attempts,
      configID: device?.config_id ?? 0,
      sentTime: row.sent_at,
      doneTime: row.done_at,
    }
  })
  return { list, total: page.total }
}
