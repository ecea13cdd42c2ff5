import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { type AppError, errors, refusal } from '@ithings/contract/errors.ts'
import type { multiUpdateDevices as multiUpdateEndpoint } from '@ithings/contract/features/devices/bulk.ts'
import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import { maxTags, type Tag } from '@ithings/contract/wire.ts'
import { sql } from 'kysely'
import { announceDevices } from './announce-devices.ts'
import { bulkResult } from './bulk-result.ts'
import { findByKeys, unknownDevice } from './device-keys.ts'
import type { DevicesDeps } from './devices-deps.ts'
import { disabled } from './update-device.ts'

type Input = Omit<BodyOutput<typeof multiUpdateEndpoint>, 'filter'>

/** New values win over old ones of the same key; the order of what stays is kept. */
function mergedTags(old: Tag[], { tags = [], removeTags = [] }: Input): Tag[] {
  const dropped = new Set([...removeTags, ...tags.map((tag) => tag.key)])
  return [...old.filter((tag) => !dropped.has(tag.key)), ...tags]
}

export const updateWork = { kind: 'device.multi-update', act: multiUpdateDevices } as const

export async function multiUpdateDevices(deps: DevicesDeps, input: Input) {
  const { list = [], logLevel, isEnable } = input
  const { found, missing } = await findByKeys(deps.db, list)
  const failed: Array<readonly [DeviceKey, AppError]> = missing.map((key) => [key, unknownDevice(key)])
  const changed = await deps.db.transaction().execute(async (db) => {
    const rows = await db
      .selectFrom('device')
      .select(['device_id', 'product_id', 'device_name', 'tags'])
      .where(sql<boolean>`device_id = any(${found.map((one) => one.deviceID)}::bigint[])`)
      // In one order for everybody, so that two bulk edits cannot wait for each other.
      .orderBy('device_id')
      .forNoKeyUpdate()
      .execute()
    const edits = rows.map((row) => ({ row, tags: mergedTags(row.tags, input) }))
    const good = edits.filter(({ tags }) => tags.length <= maxTags)
    for (const { row, tags } of edits.filter((edit) => edit.tags.length > maxTags)) {
      const error = refusal(errors.outOfRange, '标签不能超过 {maxTags} 个，合并后有 {count} 个', {
        maxTags,
        count: tags.length,
      })
      failed.push([{ productID: row.product_id, deviceName: row.device_name }, error])
    }
    await sql`
      update device set
        tags = edit.tags::jsonb,
        log_level = coalesce(${logLevel ?? null}::smallint, log_level),
        is_enable = coalesce(${isEnable ?? null}::smallint, is_enable),
        rev = rev + 1
      from unnest(
        ${good.map(({ row }) => row.device_id)}::bigint[],
        ${good.map(({ tags }) => JSON.stringify(tags))}::text[]
      ) as edit (device_id, tags)
      where device.device_id = edit.device_id`.execute(db)
    return good.map(({ row }) => ({ productID: row.product_id, deviceName: row.device_name }))
  })
  await announceDevices(deps.signal, changed)
  if (isEnable === disabled) deps.bus.emit('device.disabled', { devices: changed })
  if (logLevel !== undefined && changed.length > 0) deps.bus.emit('device.logLevel', { devices: changed, logLevel })
  return bulkResult(changed.length, failed)
}
