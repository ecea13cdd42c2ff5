/** Users, sign-in and the session (http-api.md 2.1, 2.2). */
import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'
import { pageInput, pageOf } from '../paging.ts'
import { filterText, id, int, oneOf, optionalEnum, strInt, text } from '../wire.ts'
import { commonPassword } from './common-passwords.ts'
import { menu } from './menus.ts'
import { passkeyProof } from './passkey-proof.ts'
import { newSignIn } from './sessions.ts'

const { query, add, modify, remove, act } = endpointsOf('用户管理')
/** spec 3: user role; further roles may be created. */
export const BuiltInRole = { admin: 1, supplier: 2, user: 3 } as const
export type BuiltInRole = (typeof BuiltInRole)[keyof typeof BuiltInRole]
export const builtInRoleLabels: Record<BuiltInRole, string> = { 1: 'admin', 2: '供应商', 3: 'user' }

/** spec 3: enabled status. */
export const EnabledStatus = { enabled: 1, disabled: 2 } as const
export type EnabledStatus = (typeof EnabledStatus)[keyof typeof EnabledStatus]
export const enabledStatusLabels: Record<EnabledStatus, string> = { 1: '启用', 2: '禁用' }

export const Sex = { unknown: 0, male: 1, female: 2 } as const
export type Sex = (typeof Sex)[keyof typeof Sex]
export const sexLabels: Record<Sex, string> = { 0: '未知', 1: '男', 2: '女' }

/** How the password travels: 1 plain, 2 lower-case hex MD5 (what existing consoles send). */
export const PasswordType = { plain: 1, md5: 2 } as const

/** 6 to 20, letter first, then letters, digits, `_`, `-` (decisions.md 2 "User name, password"). */
export const userNamePattern = /^[A-Za-z][A-Za-z0-9_-]{5,19}$/
export const userName = z
  .string()
  .trim()
  .regex(userNamePattern, '必须以字母开头，只能包含字母、数字、下划线和减号，长度 6 到 20 位')

/** At least 8 with two of digit, lower, upper, symbol (decisions.md 2 "User name, password"). */
export const passwordKinds = (password: string): number =>
  [/\d/, /[a-z]/, /[A-Z]/, /[^0-9A-Za-z]/].filter((kind) => kind.test(password)).length
export const strongPassword = (password: string): boolean => password.length >= 8 && passwordKinds(password) >= 2
export const newPassword = z
  .string()
  .max(64)
  .refine(strongPassword, '至少 8 位，且包含数字、小写字母、大写字母、符号中的两种')
  .refine((password) => !commonPassword(password), '太常见，容易被猜到，请换一个')

/** A path of ours or an address of the web: nothing that a browser would run. */
const isPicture = (address: string): boolean => !/^[^/?#]*:/.test(address) || /^https?:\/\//i.test(address)

/** A code of the authenticator app, or a recovery code. */
export const secondCode = z.string().trim().min(6).max(32)

export const sessionToken = z.object({ accessToken: z.string(), accessExpire: strInt, refreshAfter: strInt })

const phone = z.union([z.literal(''), z.string().regex(/^\+?[0-9-]{5,20}$/, '不是有效的手机号')])
const email = z.union([z.literal(''), z.email('不是有效的邮箱地址').max(128)])

export const userInfo = z.object({
  userID: strInt,
  userName: z.string(),
  nickName: z.string(),
  sex: z.int(),
  city: z.string(),
  country: z.string(),
  province: z.string(),
  language: z.string(),
  headImgUrl: z.string(),
  regIP: z.string(),
  lastIP: z.string(),
  wechat: z.string(),
  phone: z.string(),
  email: z.string(),
  role: z.int(),
  isAllData: z.int(),
  createdTime: strInt,
  status: z.int(),
  lastLoginTime: strInt,
  /** Ours: the password alone is not enough: there is an authenticator app or a passkey. */
  secondFactor: z.boolean(),
  /** Ours: how many passkeys he has. */
  passkeys: z.int(),
  rev: z.int(),
})
export type UserInfo = z.output<typeof userInfo>

/** What a person may change about himself. */
export const profileFields = z.object({
  nickName: text(32).optional(),
  phone: phone.optional(),
  email: email.optional(),
  sex: oneOf(Sex).optional(),
  city: text(64).optional(),
  province: text(64).optional(),
  country: text(64).optional(),
  language: text(16).optional(),
  wechat: text(64).optional(),
  headImgUrl: text(512).refine(isPicture, '须为图片的地址').optional(),
})

export const getCaptcha = query('/api/v1/system/user/captcha', '获取验证码', {
  access: 'public',
  body: z.object({
    // Existing consoles ask for "sms" and still expect a picture (http-api.md 2.2).
    type: z.enum(['sms', 'image', 'img']).default('image'),
    use: z.enum(['login', 'register']).default('login'),
    data: z.string().max(64).optional(),
  }),
  data: z.object({ codeID: z.string(), url: z.string(), expire: z.int() }),
})

export const login = act('/api/v1/system/user/login', '登录', {
  access: 'public',
  unlogged: true,
  body: z.object({
    account: text(128, 1),
    password: z.string().min(1).max(128),
    pwdType: oneOf(PasswordType),
    loginType: z.enum(['pwd', 'phone', 'wxOpen', 'wxIn', 'wxMiniP']).default('pwd'),
    code: z.string().trim().max(16).optional(),
    codeID: z.string().max(64).optional(),
    /** Ours: for accounts with a second factor; without it the answer is 900011, and the captcha stays good. */
    secondCode: z.union([z.literal(''), secondCode]).optional(),
    /** Ours: a passkey of the account instead of the code, for the challenge of `passkey/sign-in-start`. */
    passkey: passkeyProof.optional(),
  }),
  data: z.object({ info: userInfo, token: sessionToken }),
})

export const createUserBody = z.object({
  userName,
  password: newPassword,
  role: id(),
  status: oneOf(EnabledStatus).optional(),
  ...profileFields.shape,
})
export const createUser = add('/api/v1/system/user/create', '新增用户', {
  body: createUserBody,
  data: z.object({ userID: strInt }),
})

export const updateUserBody = z.object({
  userID: id(),
  userName: userName.optional(),
  role: int(0)
    .transform((role) => (role === 0 ? undefined : role))
    .optional(),
  rev: int(0).optional(),
  ...profileFields.shape,
})
export const updateUser = modify('/api/v1/system/user/update', '修改用户', { body: updateUserBody })

export const readUser = query('/api/v1/system/user/read', '查看用户', {
  body: z.object({ userID: id().optional() }),
  data: userInfo,
})

export const userSortFields = [
  'userID',
  'userName',
  'nickName',
  'role',
  'status',
  'createdTime',
  'lastLoginTime',
] as const

export const listUsers = query('/api/v1/system/user/index', '用户列表', {
  body: z.object({
    page: pageInput,
    userName: filterText(),
    nickName: filterText(),
    phone: filterText(),
    email: filterText(),
    role: int(0)
      .transform((role) => (role === 0 ? undefined : role))
      .optional(),
    status: optionalEnum(EnabledStatus),
  }),
  data: pageOf(userInfo),
})

export const deleteUser = remove('/api/v1/system/user/delete', '删除用户', { body: z.object({ userID: id() }) })

export const updateUserStatus = modify('/api/v1/system/user/status-update', '启用或禁用用户', {
  body: z.object({ userID: id(), status: oneOf(EnabledStatus) }),
})

export const resetPasswordBody = z.object({ userID: id(), password: newPassword })
export const resetPassword = modify('/api/v1/system/user/reset-password', '重置用户密码', { body: resetPasswordBody })

export const readResources = query('/api/v1/system/user/resource-read', '获取当前用户与菜单', {
  access: 'signed-in',
  enrolling: true,
  data: z.object({
    /** As a console makes its pages of it: `type` is 1, or 2 (frame) and 3 (link) where `component` is an address. */
    menu: z.array(menu),
    info: userInfo,
    projects: z.array(z.never()),
    /** Ours: sign-ins of other sessions from new places, until somebody acknowledges them. */
    newSignIns: z.array(newSignIn),
    /** Ours: the role demands a second factor; until it is there nothing else is answered. */
    mustEnrol: z.boolean(),
    /** Ours: what the user chose as his language, '' if nothing; `info.language` always names one. */
    language: z.string(),
    /** Ours: paths of the endpoints that the role does not hold, so that a console need not offer what is refused. */
    withheld: z.array(z.string()),
  }),
})

export const logout = act('/api/v1/system/user/logout', '退出登录', {
  access: 'signed-in',
  personal: true,
  enrolling: true,
  /** Ours: of a session that began at a company's provider, where the browser goes to be signed out there too. */
  data: z.object({ url: z.string() }).optional(),
})

export const updateSelf = modify('/api/v1/system/user/self-update', '修改个人信息', {
  access: 'signed-in',
  personal: true,
  body: z.object({ rev: int(0).optional(), ...profileFields.shape }),
})

export const changeOwnPasswordBody = z.object({
  oldPassword: z.string().min(1).max(128),
  /** How oldPassword travels; the new one is plain, because its strength is checked on the server. */
  pwdType: oneOf(PasswordType).default(PasswordType.plain),
  newPassword,
})
export const changeOwnPassword = modify('/api/v1/system/user/self-password', '修改个人密码', {
  access: 'signed-in',
  personal: true,
  body: changeOwnPasswordBody,
})
