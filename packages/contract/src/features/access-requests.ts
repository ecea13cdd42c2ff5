/** Somebody stands before a page that his role may not open, and asks for it. */
import * as z from 'zod'
import { BusinessType, endpoint } from '../endpoint.ts'
import { id, nothing, strInt, text } from '../wire.ts'

const group = '用户管理'
/** The route of a menu entry. */
const page = z.object({ path: text(256, 1) })

export const readAccessHelp = endpoint({
  path: '/api/v1/system/user/access-request/read',
  access: 'signed-in',
  name: '获取角色与管理员',
  group,
  businessType: BusinessType.query,
  body: page,
  data: z.object({
    roleName: z.string(),
    /** Nick names: the names that administrators sign in with are not told. */
    administrators: z.array(z.string()),
    /** The caller has asked for this page and nobody has dealt with it yet. */
    asked: z.boolean(),
  }),
})

export const askForAccess = endpoint({
  path: '/api/v1/system/user/access-request/create',
  access: 'signed-in',
  name: '申请页面权限',
  group,
  businessType: BusinessType.add,
  body: page,
  data: nothing,
})

const accessRequest = z.object({
  userID: strInt,
  userName: z.string(),
  nickName: z.string(),
  role: z.int(),
  roleName: z.string(),
  path: z.string(),
  /** Of the menu entry; empty when it is gone. */
  menuName: z.string(),
  createdTime: strInt,
})
export type AccessRequest = z.output<typeof accessRequest>

export const listAccessRequests = endpoint({
  path: '/api/v1/system/user/access-request/index',
  access: 'role',
  name: '页面权限申请列表',
  group,
  businessType: BusinessType.query,
  body: z.object({}),
  data: z.object({ list: z.array(accessRequest), total: z.int() }),
})

export const closeAccessRequest = endpoint({
  path: '/api/v1/system/user/access-request/close',
  access: 'role',
  name: '办结页面权限申请',
  group,
  businessType: BusinessType.modify,
  body: page.extend({ userID: id() }),
  data: nothing,
})
