/** Single sign-on: people sign in at an OpenID Connect provider of their company (operator-guide.md). */
import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'
import { pageInput, pageOf } from '../paging.ts'
import { fieldsToUpdate, filterText, id, int, oneOf, optionalEnum, strInt, text } from '../wire.ts'
import { EnabledStatus } from './users.ts'

const { query, add, modify, remove, act } = endpointsOf('企业登录')

export const signOnLimits = { providers: 20, rules: 50 } as const

/** Where the provider sends browsers back to, below the console's base path; the key of the provider follows. */
export const signOnReturn = '/user/sign-on'
/** Where the provider tells that somebody has signed out there; the key of the provider follows. */
export const backChannelPath = '/api/v1/system/sign-on/back-channel'

export const ruleOperators = ['equals', 'contains'] as const
export type RuleOperator = (typeof ruleOperators)[number]
export const ruleOperatorLabels: Record<RuleOperator, string> = { equals: '等于', contains: '包含' }

/** Whether the second factor that a role demands was given at the provider: as its answer says, or always. */
export const factorTrusts = ['claims', 'always'] as const
export type FactorTrust = (typeof factorTrusts)[number]
export const factorTrustLabels: Record<FactorTrust, string> = { claims: '按对方的声明', always: '总是视为已验证' }

/** The name of a claim, or a path with dots into one (`realm_access.roles`). */
const claim = text(128, 1)

export const roleRule = z.object({
  claim,
  operator: z.enum(ruleOperators),
  value: text(256, 1),
  roleID: id(),
})
export type RoleRule = z.output<typeof roleRule>

const isIssuer = (address: string): boolean => {
  const url = URL.parse(address)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.search === '' && url.hash === ''
}

const shape = {
  /** Part of the addresses that are registered at the provider. */
  key: z
    .string()
    .trim()
    .regex(/^[a-z][a-z0-9-]{0,31}$/, '须以小写字母开头，只能包含小写字母、数字和减号，最长 32 位'),
  name: text(32, 1),
  /** '': the name serves both languages. */
  nameEn: text(32).default(''),
  issuer: text(512, 1).refine(isIssuer, '须为 https:// 开头的地址，不含参数'),
  clientID: text(256, 1),
  /** '' when the provider knows this client without one. */
  secret: z.string().max(1_024).default(''),
  scopes: text(256)
    .refine((scopes) => scopes.split(/\s+/).includes('openid'), '须包含 openid')
    .default('openid profile email'),
  status: oneOf(EnabledStatus).default(EnabledStatus.enabled),
  userNameClaim: claim.default('preferred_username'),
  nickNameClaim: claim.default('name'),
  emailClaim: claim.default('email'),
  /** Who comes for the first time gets an account; else he is refused. */
  createUsers: z.boolean().default(true),
  /** Where no rule holds; 0: nobody gets in then. */
  defaultRole: int(0).default(0),
  /** In order, the first that holds counts. */
  rules: z.array(roleRule).max(signOnLimits.rules).default([]),
  /** At each sign-in the role is what the rules say; else only at the first. */
  roleEachTime: z.boolean().default(true),
  factor: z.enum(factorTrusts).default('claims'),
  /** Asked of the provider (`acr_values`), and accepted from it as a second factor; separated by blanks. */
  acrValues: text(256).default(''),
  /** Who signs out here is signed out at the provider too, where it can do that. */
  endSession: z.boolean().default(true),
}
export const providerBody = z.object(shape)
export const updateProviderBody = z.object({ ...fieldsToUpdate(shape), id: id(), rev: int(0).optional() })

const provider = z.object({
  ...providerBody.omit({ secret: true, status: true, defaultRole: true, rules: true }).shape,
  id: z.int(),
  /** The secret itself is never told. */
  hasSecret: z.boolean(),
  status: z.int(),
  defaultRole: z.int(),
  rules: z.array(roleRule.extend({ roleID: z.int() })),
  /** To be registered at the provider. */
  redirectUri: z.string(),
  signOutUri: z.string(),
  backChannelUri: z.string(),
  /** Users who are known by it. */
  users: z.int(),
  rev: z.int(),
  createdTime: z.number(),
})
export type SignOnProvider = z.output<typeof provider>

const key = z.object({ id: id() })

export const providerSortFields = ['name', 'createdTime', 'status'] as const
export const listProviders = query('/api/v1/system/sign-on/index', '企业登录列表', {
  body: z.object({ name: filterText(32), status: optionalEnum(EnabledStatus), page: pageInput }),
  data: pageOf(provider),
})
export const readProvider = query('/api/v1/system/sign-on/read', '查看企业登录', { body: key, data: provider })
export const createProvider = add('/api/v1/system/sign-on/create', '新增企业登录', {
  fresh: true,
  body: providerBody,
  data: z.object({ id: z.int() }),
})
export const updateProvider = modify('/api/v1/system/sign-on/update', '修改企业登录', {
  fresh: true,
  body: updateProviderBody,
})
export const deleteProvider = remove('/api/v1/system/sign-on/delete', '删除企业登录', { fresh: true, body: key })

/** Asks the provider what it is; nothing is stored. */
export const testProvider = act('/api/v1/system/sign-on/test', '测试企业登录', {
  body: z.object({ issuer: shape.issuer }),
  data: z.object({
    ok: z.boolean(),
    /** Why not. */
    msg: z.string(),
    ms: z.number(),
    authorizationEndpoint: z.string(),
    tokenEndpoint: z.string(),
    scopes: z.array(z.string()),
    /** It tells by whom an answer was given, which keeps answers of two providers apart. */
    namesItself: z.boolean(),
    /** It has an address for signing out, and tells us when somebody signs out there. */
    endsSessions: z.boolean(),
    backChannel: z.boolean(),
  }),
})
export type ProviderTest = z.output<(typeof testProvider)['data']>

const identity = z.object({
  providerID: z.int(),
  providerName: z.string(),
  subject: z.string(),
  userID: strInt,
  userName: z.string(),
  nickName: z.string(),
  /** Has no password: it was made by a sign-in, and gets in this way only. */
  companyOnly: z.boolean(),
  createdTime: z.number(),
  lastLoginTime: z.number(),
})
export type SignOnIdentity = z.output<typeof identity>

export const identitySortFields = ['createdTime', 'lastLoginTime'] as const
export const listIdentities = query('/api/v1/system/sign-on/identity/index', '企业账号列表', {
  body: z.object({ providerID: id(), userName: filterText(64), page: pageInput }),
  data: pageOf(identity),
})
/** The one way by which an account that is there already is tied to somebody of a provider. */
export const linkIdentity = add('/api/v1/system/sign-on/identity/create', '关联企业账号', {
  fresh: true,
  body: z.object({ providerID: id(), subject: text(255, 1), userID: id() }),
})
export const unlinkIdentity = remove('/api/v1/system/sign-on/identity/delete', '解除企业账号关联', {
  fresh: true,
  body: z.object({ providerID: id(), subject: text(255, 1) }),
})
