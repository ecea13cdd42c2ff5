/** Which devices an upgrade takes, and why not the others: one classification for the preview and the task. */
import { VersionSource } from '@ithings/contract/features/ota/task.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { OtaPlan } from '#db/tables/ota.ts'
import { groupWithChildren } from '#features/devices/door.ts'
import { judgeVersion, type Upgrade, type VersionVerdict } from './judge-version.ts'
import { versionColumn } from './module-store.ts'
import { openTasks } from './task-store.ts'

export const skipReasons = {
  unknownName: '设备不存在',
  otherProduct: '属于其他产品',
  disabled: '设备已禁用',
  neverReported: '未上报过版本',
  newest: '已是目标版本',
  higher: '版本高于目标版本',
  diffSource: '不是差分包的待升级版本',
  notListed: '不在待升级版本中',
  busy: '在其他未完成的升级任务中',
} as const
export type SkipReason = keyof typeof skipReasons

/** Whom a plan means, and with which package. */
export interface TargetQuestion {
  productID: string
  module: number
  upgrade: Upgrade
  plan: OtaPlan
  deviceList: readonly string[]
  /** The task that asks: its own devices are not busy. */
  exceptRun?: number
}

const reasonOf: Record<VersionVerdict, SkipReason | ''> = {
  fits: '',
  unknown: 'neverReported',
  newest: 'newest',
  higher: 'higher',
  diffSource: 'diffSource',
  notListed: 'notListed',
}

const members = (groups: readonly number[]) =>
  sql<boolean>`exists (select from group_device where group_device.device_id = device.device_id
    and group_device.group_id = any (${groups}))`

async function scopeOf(db: Db, { productID, plan, deviceList }: TargetQuestion): Promise<RawBuilder<boolean>> {
  const ofProduct = sql<boolean>`device.product_id = ${productID}`
  if (plan.type === 1) return ofProduct
  const groups = plan.groupID === undefined ? [] : await groupWithChildren(db, plan.groupID)
  return sql<boolean>`${ofProduct} and (device.device_name = any (${deviceList}) or ${members(groups)})`
}

/** Versions are few, devices are many: versions are judged here, devices in the database. */
async function versionReasons(db: Db, { module, plan, upgrade }: TargetQuestion, scope: RawBuilder<boolean>) {
  if (plan.source === VersionSource.device) return []
  const { rows } = await sql<{ version: string }>`
    select distinct ${versionColumn(module)} as version
    from device left join device_module module on module.device_id = device.device_id and module.module = ${module}
    where ${scope}`.execute(db)
  return rows.map(({ version }) => ({ version, reason: reasonOf[judgeVersion(version, upgrade)] }))
}

/** A query of device_id, device_name, is_online, version and reason ('' : it is taken). */
async function classified(db: Db, question: TargetQuestion): Promise<RawBuilder<unknown>> {
  const { productID, module, plan, exceptRun } = question
  const scope = await scopeOf(db, question)
  const reasons = await versionReasons(db, question, scope)
  const open = plan.isOverwriteMode === 1 ? [] : await openTasks(db, productID, module)
  const runs = open.map(({ runID }) => runID).filter((runID) => runID !== exceptRun)
  return sql`
    select device.device_id, device.device_name, device.is_online, ${versionColumn(module)} as version,
      case when device.is_enable = 2 then 'disabled'
        when coalesce(judged.reason, '') <> '' then judged.reason
        when exists (select from rollout_device where rollout_device.device_id = device.device_id and state in (1, 2)
          and run_id = any (${runs}::bigint[])) then 'busy' else '' end as reason
    from device left join device_module module on module.device_id = device.device_id and module.module = ${module}
    left join unnest(${reasons.map(({ version }) => version)}::text[], ${reasons.map(({ reason }) => reason)}::text[])
      as judged (version, reason) on judged.version = ${versionColumn(module)}
    where ${scope}`
}

export interface Target {
  deviceID: number
  deviceName: string
  version: string
}

/**
 * Those that are online come first, so that a first stage comes to an end; among them by a hash, so that it is a
 * sample of the fleet and not its oldest devices.
 */
export async function findTargets(db: Db, question: TargetQuestion): Promise<Target[]> {
  const { rows } = await sql<Target>`
    select device_id as "deviceID", device_name as "deviceName", version from (${await classified(db, question)}) one
    where reason = '' order by is_online, hashint8(device_id), device_id`.execute(db)
  return rows
}

const mostNames = 20

export interface Skipped {
  reason: SkipReason
  count: number
  devices: string[]
}
export interface TargetCounts {
  matched: number
  online: number
  skipped: Skipped[]
  versions: Array<{ version: string; count: number }>
}

/** Names of the list, and devices of the group, that are not of this product. */
async function countStrangers(db: Db, { productID, plan, deviceList }: TargetQuestion): Promise<Skipped[]> {
  if (plan.type === 1) return []
  const groups = plan.groupID === undefined ? [] : await groupWithChildren(db, plan.groupID)
  const { rows } = await sql<{ device_name: string; known: boolean }>`
    select asked.device_name, exists (select from device where device.device_name = asked.device_name) as known
    from (select distinct unnest(${deviceList}::text[]) as device_name) asked
    where not exists (select from device where product_id = ${productID} and device.device_name = asked.device_name)
    union all
    select device.device_name, true from device where product_id <> ${productID} and ${members(groups)}
    order by 1`.execute(db)
  return (['unknownName', 'otherProduct'] as const).map((reason) => {
    const found = rows.filter(({ known }) => known === (reason === 'otherProduct'))
    return { reason, count: found.length, devices: found.slice(0, mostNames).map((row) => row.device_name) }
  })
}

interface CountRow {
  reason: SkipReason | ''
  version: string
  count: number
  online: number
  names: string[]
}

export async function countTargets(db: Db, question: TargetQuestion): Promise<TargetCounts> {
  const { rows } = await sql<CountRow>`
    select reason, version, count(*)::integer as count, (count(*) filter (where is_online = 1))::integer as online,
      coalesce(array_agg(device_name order by device_name) filter (where place <= ${mostNames}), '{}') as names
    from (select *, row_number() over (partition by reason order by device_name) as place
      from (${await classified(db, question)}) one) placed
    group by reason, version order by count(*) desc, version`.execute(db)
  const taken = rows.filter(({ reason }) => reason === '')
  const sum = (list: CountRow[], read: (row: CountRow) => number) => list.reduce((all, row) => all + read(row), 0)
  const ofReason = (reason: SkipReason): Skipped => {
    const list = rows.filter((row) => row.reason === reason)
    const devices = list.flatMap((row) => row.names).toSorted()
    return { reason, count: sum(list, (row) => row.count), devices: devices.slice(0, mostNames) }
  }
  const skipped = [...(await countStrangers(db, question)), ...(Object.keys(skipReasons) as SkipReason[]).map(ofReason)]
  return {
    matched: sum(taken, (row) => row.count),
    online: sum(taken, (row) => row.online),
    skipped: skipped.filter(({ count }) => count > 0),
    versions: taken.map(({ version, count }) => ({ version, count })),
  }
}

/** How much there is to look at, before anything is looked at. */
export async function countCandidates(db: Db, question: TargetQuestion): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from device where ${await scopeOf(db, question)}`.execute(db)
  return rows[0]?.count ?? 0
}
