/** Which devices a push means, for the preview and for the run alike. */
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { ConfigTarget, previewConfigPush as previewEndpoint } from '@ithings/contract/features/remote-config.ts'
import { kept } from '@ithings/contract/text.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { groupWithChildren, requireDevices } from '#features/devices/door.ts'
import { findGroup } from '#features/groups/door.ts'
import type { RemoteConfigDeps } from './remote-config-deps.ts'
import { findLatest, unknownProduct } from './store.ts'

/** A target after everything was looked up; plain data, a job keeps it. */
export interface Targets {
  productID: string
  deviceIDs?: number[]
  groupIDs?: number[]
  /** Devices that got this version last are left out. */
  without?: number
}

/** @returns who, and the words for people */
export async function resolveTargets(
  db: Db,
  target: ConfigTarget,
  newest: number,
): Promise<{ targets: Targets; scope: string }> {
  const { productID, deviceNames, groupID, includeChildren, onlyMissing } = target
  const missing = onlyMissing ? { without: newest } : {}
  const say = (scope: string) => (onlyMissing ? kept('{scope}，仅补发未送达', { scope }) : scope)
  if (deviceNames !== undefined) {
    const found = await requireDevices(
      db,
      deviceNames.map((deviceName) => ({ productID, deviceName })),
    )
    const deviceIDs = found.map((one) => one.deviceID)
    return {
      targets: { productID, deviceIDs, ...missing },
      scope: say(kept('指定设备 {count} 台', { count: deviceIDs.length })),
    }
  }
  if (groupID !== undefined) {
    const group = await findGroup(db, groupID)
    const groupIDs = includeChildren ? await groupWithChildren(db, groupID) : [groupID]
    return {
      targets: { productID, groupIDs, ...missing },
      scope: say(kept('分组「{name}」', { name: group.group_name })),
    }
  }
  return { targets: { productID, ...missing }, scope: say(kept('全部设备')) }
}

/** On `device`. */
export function targetCondition({ productID, deviceIDs, groupIDs, without }: Targets): RawBuilder<boolean> {
  const parts = [
    sql`product_id = ${productID}`,
    ...(deviceIDs ? [sql`device_id = any(${deviceIDs}::bigint[])`] : []),
    ...(groupIDs
      ? [sql`device_id in (select g.device_id from group_device g where g.group_id = any(${groupIDs}::bigint[]))`]
      : []),
    ...(without === undefined
      ? []
      : [
          sql`not exists (
            select 1 from device_config c where c.device_id = device.device_id and c.config_id = ${without})`,
        ]),
  ]
  return sql<boolean>`${sql.join(parts, sql` and `)}`
}

interface Count {
  total: number
  online: number
}

export async function countTargets(db: Db, targets: Targets): Promise<Count> {
  const { productID, deviceIDs, groupIDs, without } = targets
  const isAll = deviceIDs === undefined && groupIDs === undefined && without === undefined
  // A million rows are not counted one by one.
  const { rows } = isAll
    ? await sql<Count>`
        select coalesce(sum(devices), 0)::bigint as total,
          coalesce(sum(devices) filter (where status = 1), 0)::bigint as online
        from device_tally where product_id = ${productID}`.execute(db)
    : await sql<Count>`
        select count(*) as total, count(*) filter (where is_online = 1) as online
        from device where ${targetCondition(targets)}`.execute(db)
  return rows[0] ?? { total: 0, online: 0 }
}

export async function previewPush({ db, products }: RemoteConfigDeps, input: BodyOutput<typeof previewEndpoint>) {
  if (!(await products.get(input.productID))) throw unknownProduct(input.productID)
  const configID = (await findLatest(db, input.productID))?.id ?? 0
  const { targets } = await resolveTargets(db, input, configID)
  return { ...(await countTargets(db, targets)), configID }
}
