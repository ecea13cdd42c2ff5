/** Somebody stands before a page that his role may not open, and asks for it. */
import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'
import { id, strInt, text } from '../wire.ts'

const { query, add, modify } = endpointsOf('用户管理')
/** The route of a menu entry. */
const page = z.object({ path: text(256, 1) })

export const readAccessHelp = query('/api/v1/system/user/access-request/read', '获取角色与管理员', {
  access: 'signed-in',
  personal: true,
  body: page,
  data: z.object({
    roleName: z.string(),
    /** Nick names: the names that administrators sign in with are not told. */
    administrators: z.array(z.string()),
    /** The caller has asked for this page and nobody has dealt with it yet. */
    asked: z.boolean(),
  }),
})

export const askForAccess = add('/api/v1/system/user/access-request/create', '申请页面权限', {
  access: 'signed-in',
  personal: true,
  body: page,
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

export const listAccessRequests = query('/api/v1/system/user/access-request/index', '页面权限申请列表', {
  data: z.object({
    list: z.array(accessRequest),
    total: z.int(),
    /** Plans that wait for approval (plans.ts): here, so that the bell of administrators asks once for what waits for them. */
    plans: z.int(),
  }),
})

export const closeAccessRequest = modify('/api/v1/system/user/access-request/close', '办结页面权限申请', {
  body: page.extend({ userID: id() }),
})
