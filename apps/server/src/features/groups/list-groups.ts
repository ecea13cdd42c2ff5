/** The tree is small enough to travel whole (`listAll`), so filters, order and page are plain code over it. */
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import type { Group, groupSortFields, listGroups as listEndpoint } from '@ithings/contract/features/groups.ts'
import { type PageInput, pageWindow, SortDirection } from '@ithings/contract/paging.ts'
import type { Language } from '@ithings/contract/text.ts'
import { toSecondsStr, toStr } from '@ithings/contract/wire.ts'
import type { Selectable } from 'kysely'
import { sortColumn } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import type { DeviceGroupTable } from '#db/tables/groups.ts'
import { requireDevice } from '#features/devices/door.ts'
import { namesInOrder } from '#http/answer-language.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { type GroupCount, groupCounts } from './group-counts.ts'
import { unknownGroup } from './store.ts'
import { treeCounts } from './tree-counts.ts'

type GroupRow = Selectable<DeviceGroupTable> & { product_name: string | null }

const selectGroups = (db: Db) =>
  db
    .selectFrom('device_group')
    .leftJoin('product', 'product.product_id', 'device_group.product_id')
    .selectAll('device_group')
    .select('product.product_name')

const toGroup = (row: GroupRow, counts: Map<number, GroupCount>): Group => {
  const count = counts.get(row.group_id)
  return {
    groupID: toStr(row.group_id),
    parentID: toStr(row.parent_id),
    groupName: row.group_name,
    productID: row.product_id,
    productName: row.product_name ?? '',
    desc: row.description,
    tags: row.tags,
    createdTime: toSecondsStr(row.created_at),
    projectID: '0',
    deviceCount: count?.own ?? 0,
    totalCount: count?.total ?? 0,
    onlineCount: count?.online ?? 0,
    rev: row.rev,
  }
}

type SortField = (typeof groupSortFields)[number]
interface Entry {
  row: GroupRow
  group: Group
}

type Compare = (left: Entry, right: Entry) => number

const comparing = (language: Language): Record<SortField, Compare> => {
  const byName = namesInOrder(language)
  return {
    groupName: (left, right) => byName(left.row.group_name, right.row.group_name),
    createdTime: (left, right) => left.row.created_at.getTime() - right.row.created_at.getTime(),
    deviceCount: (left, right) => left.group.deviceCount - right.group.deviceCount,
  }
}

/** The id decides among equals, so that pages never overlap. */
function inOrder(entries: Entry[], page: PageInput, language: Language): Entry[] {
  const compare = comparing(language)
  const orders = (page?.orders ?? []).map(({ field, sort }) => ({
    by: sortColumn(compare, field),
    sign: sort === SortDirection.desc ? -1 : 1,
  }))
  return entries.toSorted((left, right) => {
    for (const { by, sign } of orders) {
      const difference = by(left, right)
      if (difference !== 0) return sign * difference
    }
    return left.row.group_id - right.row.group_id
  })
}

/** Without parentID (or 0) the whole tree is searched; tags must all be there, exactly. */
export async function listGroups(db: Db, input: BodyOutput<typeof listEndpoint>, { language }: SignedInUser) {
  const rows = await selectGroups(db).orderBy('device_group.group_id').execute()
  const counts = await treeCounts(db, rows, input.countOf)
  const entries = rows.map((row) => ({ row, group: toGroup(row, counts) }))
  const { parentID, productID, groupName, tags = [] } = input
  const matching = entries.filter(
    ({ row }) =>
      (!parentID || row.parent_id === parentID) &&
      (productID === undefined || row.product_id === productID) &&
      (groupName === undefined || row.group_name.toLowerCase().includes(groupName.toLowerCase())) &&
      tags.every((tag) => row.tags.some((own) => own.key === tag.key && own.value === tag.value)),
  )
  const { offset, limit } = pageWindow(input.page, matching.length)
  const page = inOrder(matching, input.page, language).slice(offset, offset + limit)
  return {
    list: page.map((entry) => entry.group),
    total: matching.length,
    listAll: entries.map((entry) => entry.group),
  }
}

export async function readGroup(db: Db, { groupID }: { groupID: number }): Promise<Group> {
  const row = await selectGroups(db).where('device_group.group_id', '=', groupID).executeTakeFirst()
  if (!row) throw unknownGroup(groupID)
  return toGroup(row, await groupCounts(db, [groupID]))
}

export async function listGroupsOfDevice(db: Db, key: DeviceKey) {
  const device = await requireDevice(db, key)
  const rows = await selectGroups(db)
    .innerJoin('group_device', 'group_device.group_id', 'device_group.group_id')
    .select('group_device.joined_at')
    .where('group_device.device_id', '=', device.deviceID)
    .orderBy('device_group.group_id')
    .execute()
  const counts = await groupCounts(
    db,
    rows.map((row) => row.group_id),
  )
  return { list: rows.map((row) => ({ ...toGroup(row, counts), joinedTime: toSecondsStr(row.joined_at) })) }
}
