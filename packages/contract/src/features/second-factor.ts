/** The second factor of an account: codes of an authenticator app (RFC 6238), and recovery codes for when it is lost. */
import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'
import { id, oneOf, strInt } from '../wire.ts'
import { passkeyProof } from './passkey-proof.ts'
import { PasswordType, secondCode, sessionToken } from './users.ts'

const { query, modify, act } = endpointsOf('用户管理')
export const recoveryCodeCount = 10

const ownPassword = {
  password: z.string().min(1).max(128),
  pwdType: oneOf(PasswordType).default(PasswordType.plain),
}

export const readSecondFactor = query('/api/v1/system/user/second-factor/read', '查看两步验证', {
  access: 'signed-in',
  personal: true,
  enrolling: true,
  data: z.object({
    /** An authenticator app is there. */
    enabled: z.boolean(),
    enabledTime: strInt,
    recoveryCodesLeft: z.int(),
    passkeys: z.int(),
    /** The role demands it. */
    required: z.boolean(),
  }),
})

/** Makes a secret; it counts from `confirm` on. */
export const startSecondFactor = modify('/api/v1/system/user/second-factor/start', '设置两步验证', {
  access: 'signed-in',
  personal: true,
  enrolling: true,
  // Who has a passkey already.
  fresh: true,
  body: z.object(ownPassword),
  /** The secret in base 32, and the address that apps read from a QR code. */
  data: z.object({ secret: z.string(), secretUri: z.string() }),
})

/** The app shows the right code: from now on it is asked for. All other sessions of the account end. */
export const confirmSecondFactor = modify('/api/v1/system/user/second-factor/confirm', '启用两步验证', {
  access: 'signed-in',
  personal: true,
  enrolling: true,
  body: z.object({ secondCode }),
  data: z.object({ recoveryCodes: z.array(z.string()), token: sessionToken }),
})

/** New recovery codes in the place of all that were there, for who has used or lost some. */
export const renewRecoveryCodes = modify('/api/v1/system/user/second-factor/renew-codes', '更换恢复码', {
  access: 'signed-in',
  personal: true,
  fresh: true,
  data: z.object({ recoveryCodes: z.array(z.string()) }),
})

export const disableSecondFactor = modify('/api/v1/system/user/second-factor/disable', '停用两步验证', {
  access: 'signed-in',
  personal: true,
  body: z.object({ ...ownPassword, secondCode }),
})

export const freshCode = z.object({ secondCode })
/**
 * The code or a passkey (challenge of `passkey/verify-start`) once more, for endpoints that are `fresh`: the token of the
 * answer is good for them for 15 minutes.
 */
export const verifySecondFactor = act('/api/v1/system/user/second-factor/verify', '再次两步验证', {
  access: 'signed-in',
  personal: true,
  body: freshCode
    .partial()
    .extend({ passkey: passkeyProof.optional() })
    .refine(({ secondCode, passkey }) => secondCode !== undefined || passkey !== undefined, {
      path: ['secondCode'],
      error: '不能为空',
    }),
  data: z.object({ token: sessionToken }),
})

/** For somebody who has lost app and recovery codes: takes them and his passkeys away. */
export const resetSecondFactor = modify('/api/v1/system/user/second-factor/reset', '重置用户两步验证', {
  fresh: true,
  body: z.object({ userID: id() }),
})
