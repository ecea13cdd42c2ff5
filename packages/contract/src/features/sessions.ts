/** Where somebody is signed in, and the end of it. */
import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'
import { id, strInt, text } from '../wire.ts'

const { query, modify, remove } = endpointsOf('用户管理')
const place = z.object({
  ipAddr: z.string(),
  location: z.string(),
  /** Empty where it is not known. */
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

export const listSessions = query('/api/v1/system/user/session/index', '登录设备列表', {
  access: 'signed-in',
  personal: true,
  data: z.object({ list: z.array(userSession), total: z.int() }),
})

export const endSession = remove('/api/v1/system/user/session/delete', '下线登录设备', {
  access: 'signed-in',
  personal: true,
  body: z.object({ id: text(64, 1) }),
})

export const endOtherSessions = remove('/api/v1/system/user/session/delete-others', '下线其他登录设备', {
  access: 'signed-in',
  personal: true,
})

/** The person has read of the sign-ins from new places (`newSignIns` of resource-read). */
export const acknowledgeSignIns = modify('/api/v1/system/user/session/acknowledge', '确认新地点登录提醒', {
  access: 'signed-in',
  personal: true,
})

export const endUserSessions = modify('/api/v1/system/user/session/clear', '强制用户下线', {
  body: z.object({ userID: id() }),
})
