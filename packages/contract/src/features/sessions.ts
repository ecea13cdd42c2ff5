/** Where somebody is signed in, and the end of it. */
import * as z from 'zod'
import { BusinessType, endpoint } from '../endpoint.ts'
import { id, nothing, strInt, text } from '../wire.ts'

const group = '用户管理'
const place = z.object({
  ipAddr: z.string(),
  location: z.string(),
  browser: z.string(),
  os: z.string(),
  /** When it was signed in. */
  createdTime: strInt,
})

/** A sign-in from an address and browser that were not used for this account in the last 30 days. */
export const newSignIn = place
export type NewSignIn = z.output<typeof newSignIn>

export const userSession = place.extend({
  id: z.string(),
  seenTime: strInt,
  /** The one that asks. */
  current: z.boolean(),
  newPlace: z.boolean(),
})
export type UserSession = z.output<typeof userSession>

export const listSessions = endpoint({
  path: '/api/v1/system/user/session/index',
  access: 'signed-in',
  name: '登录设备列表',
  group,
  businessType: BusinessType.query,
  body: z.object({}),
  data: z.object({ list: z.array(userSession), total: z.int() }),
})

export const endSession = endpoint({
  path: '/api/v1/system/user/session/delete',
  access: 'signed-in',
  name: '下线登录设备',
  group,
  businessType: BusinessType.delete,
  body: z.object({ id: text(64, 1) }),
  data: nothing,
})

export const endOtherSessions = endpoint({
  path: '/api/v1/system/user/session/delete-others',
  access: 'signed-in',
  name: '下线其他登录设备',
  group,
  businessType: BusinessType.delete,
  body: z.object({}),
  data: nothing,
})

/** The person has read of the sign-ins from new places (`newSignIns` of resource-read). */
export const acknowledgeSignIns = endpoint({
  path: '/api/v1/system/user/session/acknowledge',
  access: 'signed-in',
  name: '确认新地点登录提醒',
  group,
  businessType: BusinessType.modify,
  body: z.object({}),
  data: nothing,
})

export const endUserSessions = endpoint({
  path: '/api/v1/system/user/session/clear',
  access: 'role',
  name: '强制用户下线',
  group,
  businessType: BusinessType.modify,
  body: z.object({ userID: id() }),
  data: nothing,
})
