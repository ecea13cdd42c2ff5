/** Roles, their menus and their APIs (http-api.md 2.3, 2.6). */
import * as z from 'zod'
import { BusinessType, endpoint, HttpMethod } from '../endpoint.ts'
import { pageInput, pageOf } from '../paging.ts'
import { filterText, id, int, nothing, oneOf, optionalEnum, text } from '../wire.ts'
import { menu } from './menus.ts'
import { EnabledStatus } from './users.ts'

const group = '角色管理'
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
export const createRole = endpoint({
  path: '/api/v1/system/role/create',
  access: 'role',
  name: '新增角色',
  group,
  businessType: BusinessType.add,
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
export const updateRole = endpoint({
  path: '/api/v1/system/role/update',
  access: 'role',
  name: '修改角色',
  group,
  businessType: BusinessType.modify,
  body: updateRoleBody,
  data: nothing,
})

export const roleSortFields = ['id', 'name', 'status', 'createdTime'] as const

export const listRoles = endpoint({
  path: '/api/v1/system/role/index',
  access: 'role',
  name: '角色列表',
  group,
  businessType: BusinessType.query,
  body: z.object({ page: pageInput, name: filterText(), status: optionalEnum(EnabledStatus) }),
  data: pageOf(role),
})

export const deleteRole = endpoint({
  path: '/api/v1/system/role/delete',
  access: 'role',
  name: '删除角色',
  group,
  businessType: BusinessType.delete,
  body: z.object({ id: id() }),
  data: nothing,
})

export const updateRoleMenus = endpoint({
  path: '/api/v1/system/role/role-menu/update',
  access: 'role',
  name: '设置角色菜单',
  group,
  businessType: BusinessType.modify,
  body: z.object({ id: id(), menuID: z.array(id()).max(2000) }),
  data: nothing,
})

export const apiKey = z.object({ route: z.string(), method: z.int() })

export const updateRoleApis = endpoint({
  path: '/api/v1/system/auth/api/multiUpdate',
  access: 'role',
  name: '设置角色接口',
  group,
  businessType: BusinessType.modify,
  body: z.object({
    roleID: id(),
    list: z.array(z.object({ route: text(256, 1), method: oneOf(HttpMethod) })).max(5000),
  }),
  data: nothing,
})

export const listRoleApis = endpoint({
  path: '/api/v1/system/auth/api/index',
  access: 'role',
  name: '角色接口列表',
  group,
  businessType: BusinessType.query,
  /** Existing consoles ask for 0 while no role is chosen: it holds none. */
  body: z.object({ roleID: int(0) }),
  data: pageOf(apiKey),
})

/** Ours: what somebody of that role is shown, so that an administrator can look at the console with his eyes. */
export const viewRole = endpoint({
  path: '/api/v1/system/role/view',
  access: 'role',
  name: '以角色预览',
  group,
  businessType: BusinessType.query,
  body: z.object({ id: id() }),
  data: z.object({ name: z.string(), menu: z.array(menu), withheld: z.array(z.string()) }),
})
