/** The second factor of an account: codes of an authenticator app (RFC 6238), and recovery codes for when it is lost. */
import * as z from 'zod'
import { BusinessType, endpoint } from '../endpoint.ts'
import { id, nothing, oneOf, strInt } from '../wire.ts'
import { PasswordType, secondCode, sessionToken } from './users.ts'

const group = '用户管理'
export const recoveryCodeCount = 10

const ownPassword = {
  password: z.string().min(1).max(128),
  pwdType: oneOf(PasswordType).default(PasswordType.plain),
}

export const readSecondFactor = endpoint({
  path: '/api/v1/system/user/second-factor/read',
  access: 'signed-in',
  enrolling: true,
  name: '查看两步验证',
  group,
  businessType: BusinessType.query,
  body: z.object({}),
  data: z.object({
    enabled: z.boolean(),
    enabledTime: strInt,
    recoveryCodesLeft: z.int(),
    /** The role demands it. */
    required: z.boolean(),
  }),
})

/** Makes a secret; it counts from `confirm` on. */
export const startSecondFactor = endpoint({
  path: '/api/v1/system/user/second-factor/start',
  access: 'signed-in',
  enrolling: true,
  name: '设置两步验证',
  group,
  businessType: BusinessType.modify,
  body: z.object(ownPassword),
  /** The secret in base 32, and the address that apps read from a QR code. */
  data: z.object({ secret: z.string(), secretUri: z.string() }),
})

/** The app shows the right code: from now on it is asked for. All other sessions of the account end. */
export const confirmSecondFactor = endpoint({
  path: '/api/v1/system/user/second-factor/confirm',
  access: 'signed-in',
  enrolling: true,
  name: '启用两步验证',
  group,
  businessType: BusinessType.modify,
  body: z.object({ secondCode }),
  data: z.object({ recoveryCodes: z.array(z.string()), token: sessionToken }),
})

/** New recovery codes in the place of all that were there, for who has used or lost some. */
export const renewRecoveryCodes = endpoint({
  path: '/api/v1/system/user/second-factor/renew-codes',
  access: 'signed-in',
  fresh: true,
  name: '更换恢复码',
  group,
  businessType: BusinessType.modify,
  body: z.object({}),
  data: z.object({ recoveryCodes: z.array(z.string()) }),
})

export const disableSecondFactor = endpoint({
  path: '/api/v1/system/user/second-factor/disable',
  access: 'signed-in',
  name: '停用两步验证',
  group,
  businessType: BusinessType.modify,
  body: z.object({ ...ownPassword, secondCode }),
  data: nothing,
})

/** The code once more, for endpoints that are `fresh`: the token of the answer is good for them for 15 minutes. */
export const verifySecondFactor = endpoint({
  path: '/api/v1/system/user/second-factor/verify',
  access: 'signed-in',
  name: '再次两步验证',
  group,
  businessType: BusinessType.other,
  body: z.object({ secondCode }),
  data: z.object({ token: sessionToken }),
})

/** For somebody who has lost app and recovery codes. */
export const resetSecondFactor = endpoint({
  path: '/api/v1/system/user/second-factor/reset',
  access: 'role',
  fresh: true,
  name: '重置用户两步验证',
  group,
  businessType: BusinessType.modify,
  body: z.object({ userID: id() }),
  data: nothing,
})
