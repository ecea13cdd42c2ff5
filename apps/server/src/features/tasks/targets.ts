/** Whom a task reaches: named devices, a product, or those of the product in a group. Resolved anew by each run. */

import { errors, refusal } from '@ithings/contract/errors.ts'
import type { DeviceSet } from '@ithings/contract/features/devices/info.ts'
import { TaskTarget, taskLimits } from '@ithings/contract/features/tasks.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { groupWithChildren, takeDevices } from '#features/devices/door.ts'

export interface TargetChoice {
  productID: string
  targetType: TaskTarget
  deviceNames?: string[] | null | undefined
  filter?: DeviceSet | null | undefined
  groupID?: number | null | undefined
  includeChildren: boolean
  onlineOnly: boolean
}

const isOnline = 1

/** A filter becomes the names of the devices that match now. */
export async function withNames<T extends TargetChoice>(db: Db, choice: T): Promise<T> {
  const { filter, targetType, productID } = choice
  if (targetType !== TaskTarget.devices || !filter) return { ...choice, filter: null }
  const found = await takeDevices(db, filter, taskLimits.devices, productID)
  return { ...choice, filter: null, deviceNames: found.map((one) => one.deviceName) }
}

/** A condition on table device; names that are unknown match nothing. */
export type Scope = RawBuilder<boolean>

async function groupsOf(db: Db, { groupID, includeChildren }: TargetChoice): Promise<number[]> {
  const groups = await groupWithChildren(db, groupID ?? 0)
  if (groups.length === 0) throw refusal(errors.notFound, '分组 {groupID} 不存在', { groupID }, { field: 'groupID' })
  return includeChildren ? groups : [groupID ?? 0]
}

/** Throws 100009 when the group is gone. */
export async function scopeOf(db: Db, choice: TargetChoice): Promise<Scope> {
  const parts = [sql`device.product_id = ${choice.productID}`]
  if (choice.targetType === TaskTarget.devices) {
    parts.push(sql`device.device_name = any(${choice.deviceNames ?? []}::text[])`)
  }
  if (choice.targetType === TaskTarget.group) {
    const groups = await groupsOf(db, choice)
    parts.push(sql`device.device_id in (select device_id from group_device where group_id = any(${groups}::bigint[]))`)
  }
  return sql<boolean>`(${sql.join(parts, sql` and `)})`
}

export const withOnline = (scope: Scope, onlineOnly: boolean): Scope =>
  onlineOnly ? sql<boolean>`(${scope} and device.is_online = ${isOnline})` : scope

/** As many as `most`, which is enough to know that there are more. */
export async function countTargets(db: Db, scope: Scope, most: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (select from device where ${scope} limit ${most}) found`.execute(db)
  return rows[0]?.n ?? 0
}

export interface TargetDevice {
  deviceID: number
  productID: string
  deviceName: string
}

/** Page by page: a product may have any number of devices. */
export async function* targetPages(db: Db, scope: Scope, pageSize: number): AsyncGenerator<TargetDevice[]> {
  for (let last = 0; ; ) {
    const { rows } = await sql<{ device_id: number; product_id: string; device_name: string }>`
      select device_id, product_id, device_name from device where ${scope} and device_id > ${last}
      order by device_id limit ${pageSize}`.execute(db)
    if (rows.length > 0) {
      yield rows.map((row) => ({
        deviceID: row.device_id,
        productID: row.product_id,
        deviceName: row.device_name,
      }))
    }
    last = rows.at(-1)?.device_id ?? 0
    if (rows.length < pageSize) return
  }
}

/** Names that the product does not have, in the order given. */
export async function unknownNames(db: Db, productID: string, names: string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select asked.name from unnest(${names}::text[]) with ordinality as asked (name, at)
    where not exists (select from device where product_id = ${productID} and device_name = asked.name)
    order by asked.at`.execute(db)
  return [...new Set(rows.map((row) => row.name))]
}

/** Of these, by what they are now (spec 4: never activated is neither online nor offline). */
export async function tellTargets(db: Db, scope: Scope) {
  const { rows } = await sql<{ online: number; offline: number; inactive: number }>`
    select count(*) filter (where is_online = ${isOnline})::int as online,
      count(*) filter (where is_online <> ${isOnline} and first_login is not null)::int as offline,
      count(*) filter (where is_online <> ${isOnline} and first_login is null)::int as inactive
    from device where ${scope}`.execute(db)
  return rows[0] ?? { online: 0, offline: 0, inactive: 0 }
}
