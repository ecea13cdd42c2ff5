/** Device groups: a tree of three levels (http-api.md 5). */
import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'
import { pageInput, pageOf } from '../paging.ts'
import { filterText, id, int, strInt, tag, tagsInput, text } from '../wire.ts'
import { listOrFilter, namesTargets, targetsIssue } from './devices/bulk.ts'
import { device, deviceKeyInput } from './devices/info.ts'

const { query, add, modify, remove } = endpointsOf('分组管理')
/** parentID of top-level groups. */
export const rootGroupID = 1
/** http-api.md 5: deeper nesting is refused (100015). */
export const maxGroupLevels = 3

export const group = z.object({
  groupID: strInt,
  parentID: strInt,
  groupName: z.string(),
  productID: z.string(),
  productName: z.string(),
  desc: z.string(),
  tags: z.array(tag),
  createdTime: strInt,
  projectID: strInt,
  /** Ours: devices of the group itself, and with all groups below it. */
  deviceCount: z.int(),
  totalCount: z.int(),
  onlineCount: z.int(),
  rev: z.int(),
})
export type Group = z.output<typeof group>

export const createGroupBody = z.object({
  groupName: text(32, 1),
  parentID: int(0).default(rootGroupID),
  productID: filterText(64),
  desc: text(200).optional(),
  tags: tagsInput.optional(),
})
export const createGroup = add('/api/v1/things/group/info/create', '新增分组', {
  body: createGroupBody,
  data: z.object({ groupID: strInt }),
})

export const updateGroupBody = z.object({
  groupID: id(),
  groupName: text(32, 1).optional(),
  desc: text(200).optional(),
  tags: tagsInput.optional(),
  productID: z.string().max(64).optional(),
  /** Another parent moves the group with everything below it; the public console sends "" for "unchanged". */
  parentID: z
    .union([z.literal('').transform(() => undefined), int(0)])
    .transform((parent) => (parent === 0 ? undefined : parent))
    .optional(),
  rev: int(0).optional(),
})
export const updateGroup = modify('/api/v1/things/group/info/update', '修改分组', { body: updateGroupBody })

export const deleteGroup = remove('/api/v1/things/group/info/delete', '删除分组', { body: z.object({ groupID: id() }) })

export const readGroup = query('/api/v1/things/group/info/read', '查看分组', {
  body: z.object({ groupID: id() }),
  data: group,
})

export const groupSortFields = ['groupName', 'createdTime', 'deviceCount'] as const

export const listGroups = query('/api/v1/things/group/info/index', '分组列表', {
  body: z.object({
    page: pageInput,
    parentID: z.union([z.literal('').transform(() => undefined), int(0)]).optional(),
    productID: filterText(64),
    groupName: filterText(),
    /** Ours: counts are of this product's devices alone. */
    countOf: filterText(64),
    tags: z
      .array(z.object({ key: z.string().max(32), value: z.string().max(64) }))
      .max(10)
      .optional(),
  }),
  data: pageOf(group).extend({ listAll: z.array(group) }),
})

export const listGroupDevices = query('/api/v1/things/group/device/index', '分组设备列表', {
  body: z.object({
    groupID: id(),
    page: pageInput,
    productID: filterText(64),
    deviceName: filterText(),
    withProperties: z.array(z.string().max(128)).max(500).optional(),
    /** Ours: devices of the groups below count too. */
    includeChildren: z.boolean().optional(),
  }),
  data: pageOf(device),
})

const members = z.object({ groupID: id(), list: z.array(deviceKeyInput).min(1).max(10_000) })

export const addGroupDevices = add('/api/v1/things/group/device/multi-create', '添加设备到分组', {
  body: z.object({ groupID: id(), ...listOrFilter }).refine(namesTargets, targetsIssue),
  /** By a filter. */
  data: z.object({ jobID: z.string() }).optional(),
})

export const removeGroupDevices = remove('/api/v1/things/group/device/multi-delete', '从分组移除设备', {
  body: members,
})

export const listGroupsOfDevice = query('/api/v1/things/device/group-index', '设备所在分组', {
  body: deviceKeyInput,
  data: z.object({ list: z.array(group.extend({ joinedTime: strInt })) }),
})
