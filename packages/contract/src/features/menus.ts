/** Menu entries of the console (http-api.md 2.4; spec 2). */
import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'
import { filterText, id, int, oneOf, text } from '../wire.ts'

const { query, add, modify, remove } = endpointsOf('菜单管理')
/** parentID of top-level entries; the root itself is never listed. */
export const rootMenuID = 1

export const MenuType = { directory: 1, page: 2, button: 3 } as const
export type MenuType = (typeof MenuType)[keyof typeof MenuType]
export const menuTypeLabels: Record<MenuType, string> = { 1: '目录', 2: '菜单', 3: '按钮' }

/** spec 2: a value of 1 hides the entry. */
export const HideInMenu = { hide: 1, show: 2 } as const
export type HideInMenu = (typeof HideInMenu)[keyof typeof HideInMenu]
export const hideInMenuLabels: Record<HideInMenu, string> = { 1: '是', 2: '否' }

/** spec 2: the thirteen selectable menu icons. */
export const menuIcons = [
  'icon_system',
  'icon_ithings',
  'icon_cloud_monitor',
  'icon_dosing',
  'icon_device',
  'icon_feedwater',
  'icon_ecosystem',
  'icon_sewage',
  'icon_electric',
  'icon_heat',
  'icon_ap',
  'icon_hvac',
  'icon_data_01',
] as const
export type MenuIcon = (typeof menuIcons)[number]
export const defaultMenuIcon: MenuIcon = 'icon_data_01'

export const menu = z.object({
  id: z.int(),
  name: z.string(),
  /** Ours: what English readers are shown instead, if somebody gave it. */
  nameEn: z.string().optional(),
  parentID: z.int(),
  type: z.int(),
  path: z.string(),
  component: z.string(),
  icon: z.string(),
  redirect: z.string(),
  order: z.int(),
  createTime: z.number(),
  hideInMenu: z.int(),
  rev: z.int(),
})
export type Menu = z.output<typeof menu>

/** Pages and directories are console routes; a directory or button may have none. */
const path = z.union([
  z.literal(''),
  z
    .string()
    .trim()
    .regex(/^\/[^\s?#]*$/, '必须以 / 开头，且不含空格、? 和 #')
    .max(256),
])

const optionalFields = {
  nameEn: text(64).optional(),
  type: oneOf({ any: 0, ...MenuType }).optional(),
  path: path.optional(),
  component: text(256).optional(),
  icon: text(64).optional(),
  redirect: path.optional(),
  hideInMenu: oneOf({ unset: 0, ...HideInMenu }).optional(),
}

export const createMenuBody = z.object({
  name: text(32, 1),
  parentID: int(0).optional(),
  order: int(0, 99_999).optional(),
  ...optionalFields,
})
export const createMenu = add('/api/v1/system/menu/create', '新增菜单', {
  body: createMenuBody,
  data: z.object({ id: z.int() }),
})

export const updateMenuBody = z.object({
  id: id(),
  name: text(32, 1),
  parentID: int(0),
  order: int(0, 99_999),
  rev: int(0).optional(),
  ...optionalFields,
})
export const updateMenu = modify('/api/v1/system/menu/update', '修改菜单', { body: updateMenuBody })

export const listMenus = query('/api/v1/system/menu/index', '菜单列表', {
  body: z.object({ name: filterText(), path: filterText() }),
  data: z.object({ list: z.array(menu) }),
})

export const deleteMenu = remove('/api/v1/system/menu/delete', '删除菜单', { body: z.object({ id: id() }) })
