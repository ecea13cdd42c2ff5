/** Roles, their menus and their APIs (http-api.md 2.3, 2.6). */
import * as z from 'zod'
import { endpointsOf, HttpMethod } from '../endpoint.ts'
import { pageInput, pageOf } from '../paging.ts'
import { filterText, id, int, oneOf, optionalEnum, text } from '../wire.ts'
import { menu } from './menus.ts'
import { EnabledStatus } from './users.ts'

const { query, add, modify, remove } = endpointsOf('角色管理')
/** Names and remarks of the roles that come with the platform, as they are stored. */
export const builtInRoleTexts = [
  '供应商',
  '平台管理员，拥有全部权限',
  '管理产品与设备，不含系统管理',
  '查看数据、操作设备',
] as const

export const role = z.object({
  id: z.int(),
  name: z.string(),
  remark: z.string(),
  createdTime: z.number(),
  status: z.int(),
  roleMenuID: z.array(z.int()),
  /** Ours: built-in roles cannot be deleted; users counts its members. */
  builtIn: z.boolean(),
  /** Ours: its users must have a second factor. */
  secondFactor: z.boolean(),
  users: z.int(),
  rev: z.int(),
})
export type Role = z.output<typeof role>

export const createRoleBody = z.object({
  name: text(32, 1),
  remark: text(256).optional(),
  status: optionalEnum(EnabledStatus),
  secondFactor: z.boolean().optional(),
})
export const createRole = add('/api/v1/system/role/create', '新增角色', {
  body: createRoleBody,
  data: z.object({ id: z.int() }),
})

export const updateRoleBody = z.object({
  id: id(),
  name: text(32, 1).optional(),
  remark: text(256).optional(),
  status: optionalEnum(EnabledStatus),
  secondFactor: z.boolean().optional(),
  rev: int(0).optional(),
})
export const updateRole = modify('/api/v1/system/role/update', '修改角色', { body: updateRoleBody })

export const roleSortFields = ['id', 'name', 'status', 'createdTime'] as const

export const listRoles = query('/api/v1/system/role/index', '角色列表', {
  body: z.object({ page: pageInput, name: filterText(), status: optionalEnum(EnabledStatus) }),
  data: pageOf(role),
})

export const deleteRole = remove('/api/v1/system/role/delete', '删除角色', { body: z.object({ id: id() }) })

export const updateRoleMenus = modify('/api/v1/system/role/role-menu/update', '设置角色菜单', {
  body: z.object({ id: id(), menuID: z.array(id()).max(2000) }),
})

export const apiKey = z.object({ route: z.string(), method: z.int() })

export const updateRoleApis = modify('/api/v1/system/auth/api/multiUpdate', '设置角色接口', {
  body: z.object({
    roleID: id(),
    list: z.array(z.object({ route: text(256, 1), method: oneOf(HttpMethod) })).max(5000),
  }),
})

export const listRoleApis = query('/api/v1/system/auth/api/index', '角色接口列表', {
  /** Existing consoles ask for 0 while no role is chosen: it holds none. */
  body: z.object({ roleID: int(0) }),
  data: pageOf(apiKey),
})

/** Ours: what somebody of that role is shown, so that an administrator can look at the console with his eyes. */
export const viewRole = query('/api/v1/system/role/view', '以角色预览', {
  body: z.object({ id: id() }),
  data: z.object({ name: z.string(), menu: z.array(menu), withheld: z.array(z.string()) }),
})
