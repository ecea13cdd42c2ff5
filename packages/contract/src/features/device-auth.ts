/**
 * What brokers and devices ask without a token (http-api.md 4.3, decisions.md 2 "Who may call without a token"):
 * dynamic registration, and the HTTP hooks of an EMQX in front of the platform. The hooks answer callers that send
 * EMQX_HOOK_SECRET as `Authorization: Bearer <secret>`; without that setting, calls from this machine only.
 */
import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'
import { int, text } from '../wire.ts'

const { query, add } = endpointsOf('设备认证')
/** Longer than any that can be right. */
const longest = 512
const optionalText = z.string().max(longest).default('')

const credentials = z.object({
  username: z.string().max(longest),
  password: optionalText,
  clientID: z.string().max(longest),
  ip: optionalText,
  /** Accepted, not used: certificates are not built (decisions.md 2 "authMode"). */
  certificate: z.string().max(16_384).optional(),
})

export const authLogin = query('/api/v1/things/device/auth/login', '设备登录认证', {
  access: 'public',
  body: credentials,
})

/** EMQX 4 `%A`: 1 subscribe, 2 publish. */
const access = z.union([z.enum(['1', '2', 'Sub', 'Pub']), z.literal([1, 2])]).transform((value) => {
  return value === 2 || value === '2' || value === 'Pub' ? ('publish' as const) : ('subscribe' as const)
})

export const authAccess = query('/api/v1/things/device/auth/access', '设备主题鉴权', {
  access: 'public',
  body: z.object({
    username: optionalText,
    topic: z.string().min(1).max(longest),
    clientID: z.string().max(longest),
    access,
    ip: optionalText,
  }),
})

/** MQTT super users are not built, so nobody is one (decisions.md 1). */
export const authRootCheck = query('/api/v1/things/device/auth/root-check', '超级用户认证', {
  access: 'public',
  body: credentials.partial(),
})

/** What a device signs with the secret of its product (device-protocol.md 3). */
export const registration = z.object({
  nonce: int(),
  /** Seconds; must be fresh where a device is to be created. */
  timestamp: int(),
  signature: text(longest, 1),
})

export const authRegister = add('/api/v1/things/device/auth/register', '设备动态注册', {
  access: 'public',
  body: registration.extend({ productID: text(64, 1), deviceName: text(48, 1) }),
  data: z.object({ len: z.int(), payload: z.string() }),
})

export const auth5Login = query('/api/v1/things/device/auth5/login', '设备登录认证(EMQX 5)', {
  access: 'public',
  body: credentials,
  data: z.object({ result: z.literal('allow'), is_superuser: z.boolean() }),
  unwrapped: true,
})

export const auth5Access = query('/api/v1/things/device/auth5/access', '设备主题鉴权(EMQX 5)', {
  access: 'public',
  body: z.object({
    username: optionalText,
    topic: z.string().min(1).max(longest),
    clientID: z.string().max(longest),
    action: z.enum(['publish', 'subscribe']),
    ip: optionalText,
  }),
  data: z.object({ result: z.literal('allow') }),
  unwrapped: true,
})
