/** Passkeys of an account (WebAuthn): a sign-in without a password, or the second factor behind one. */
import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'
import { id, oneOf, strInt, text } from '../wire.ts'
import { newPasskey, passkeyProof } from './passkey-proof.ts'
import { login, PasswordType, sessionToken } from './users.ts'

const { query, add, modify, remove, act } = endpointsOf('用户管理')

/** Of one account. */
export const mostPasskeys = 20

const passkeyName = text(32, 1)
const knownCredential = z.object({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.string()) })

/** As `navigator.credentials.get` takes it. */
const passkeyQuestion = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
  /** Empty: the browser offers those that it has for this platform. */
  allowCredentials: z.array(knownCredential),
})

/** A challenge for a sign-in, or for the second step of one. */
export const startPasskeySignIn = act('/api/v1/system/user/passkey/sign-in-start', '开始通行密钥登录', {
  access: 'public',
  unlogged: true,
  data: z.object({ question: passkeyQuestion }),
})

/** A passkey alone: whoever uses it was verified by it, so it is two factors. */
export const signInByPasskey = act('/api/v1/system/user/passkey/sign-in', '通行密钥登录', {
  access: 'public',
  unlogged: true,
  body: z.object({ passkey: passkeyProof }),
  data: login.data,
})

const passkey = z.object({
  id: strInt,
  name: z.string(),
  createdTime: strInt,
  /** "0": never. */
  usedTime: strInt,
  /** It is kept by an account of the maker too (iCloud, Google, a password manager), so a lost device does not lose it. */
  backedUp: z.boolean(),
})
export type Passkey = z.output<typeof passkey>

export const listPasskeys = query('/api/v1/system/user/passkey/index', '查看通行密钥', {
  access: 'signed-in',
  personal: true,
  data: z.object({ list: z.array(passkey), total: z.int() }),
})

/** Who has no second factor yet is asked for the password; everybody else for a fresh one. */
export const startPasskey = act('/api/v1/system/user/passkey/create-start', '开始添加通行密钥', {
  access: 'signed-in',
  personal: true,
  enrolling: true,
  fresh: true,
  unlogged: true,
  body: z.object({
    password: z.string().max(128).default(''),
    pwdType: oneOf(PasswordType).default(PasswordType.plain),
  }),
  /** As `navigator.credentials.create` takes it. */
  data: z.object({
    question: z.object({
      challenge: z.string(),
      rp: z.object({ id: z.string(), name: z.string() }),
      user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
      pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
      timeout: z.int(),
      excludeCredentials: z.array(knownCredential),
      authenticatorSelection: z.object({
        residentKey: z.literal('required'),
        requireResidentKey: z.literal(true),
        userVerification: z.literal('required'),
      }),
      attestation: z.literal('none'),
    }),
  }),
})

export const addPasskeyBody = z.object({ name: passkeyName, passkey: newPasskey })
/** The first factor of an account brings recovery codes along (else none come), and ends all its other sessions. */
export const addPasskey = add('/api/v1/system/user/passkey/create', '添加通行密钥', {
  access: 'signed-in',
  personal: true,
  enrolling: true,
  body: addPasskeyBody,
  data: z.object({ recoveryCodes: z.array(z.string()), token: sessionToken }),
})

export const renamePasskeyBody = z.object({ id: id(), name: passkeyName })
export const renamePasskey = modify('/api/v1/system/user/passkey/update', '重命名通行密钥', {
  access: 'signed-in',
  personal: true,
  body: renamePasskeyBody,
})

export const removePasskey = remove('/api/v1/system/user/passkey/delete', '移除通行密钥', {
  access: 'signed-in',
  personal: true,
  fresh: true,
  body: z.object({ id: id() }),
})

/** A challenge for a passkey of one's own, to be answered by `second-factor/verify`. */
export const startPasskeyCheck = act('/api/v1/system/user/passkey/verify-start', '开始通行密钥验证', {
  access: 'signed-in',
  personal: true,
  unlogged: true,
  data: z.object({ question: passkeyQuestion }),
})

/** For somebody who has lost what holds them. */
export const removeUserPasskeys = remove('/api/v1/system/user/passkey/delete-of-user', '移除用户的通行密钥', {
  fresh: true,
  body: z.object({ userID: id() }),
})
