/** Keys of programs: a person's own, and those of service accounts, which have a role and no password. */
import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'
import { pageInput, pageOf } from '../paging.ts'
import { fieldsToUpdate, filterText, id, int, optionalEnum, text } from '../wire.ts'

const { query, add, modify, remove } = endpointsOf('API 密钥')

/** Every key begins so, for people and for programs that look for secrets in files; 43 characters follow. */
export const keyStart = 'itk_'
/** So much of a key is shown later, to tell keys apart. */
export const keyHintLength = keyStart.length + 6

export const KeyKind = { personal: 1, service: 2 } as const
export type KeyKind = (typeof KeyKind)[keyof typeof KeyKind]
export const keyKindLabels: Record<KeyKind, string> = { 1: '个人密钥', 2: '服务账号' }

export const KeyState = { valid: 1, expired: 2, revoked: 3 } as const
export type KeyState = (typeof KeyState)[keyof typeof KeyState]
export const keyStateLabels: Record<KeyState, string> = { 1: '有效', 2: '已过期', 3: '已撤销' }

export const usualPerMinute = 600
const network = z.union([z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()], { error: '须为 IP 地址或网段，如 192.0.2.0/24' })

const shape = {
  name: text(64, 1),
  /** Paths; none: all that its owner may call, without acts that demand a second factor. */
  apis: z.array(text(256, 1)).max(1_000).default([]),
  /** Only what concerns this product, or devices of this group and those below it. */
  productID: text(32).default(''),
  groupID: int(0).default(0),
  /** From where it may be used; none: from anywhere. */
  addresses: z.array(network).max(50).default([]),
  /** Seconds; 0: never. */
  expiresTime: int(0).default(0),
  perMinute: int(1, 60_000).default(usualPerMinute),
}
const oneLimit = {
  path: ['groupID'],
  message: '产品和分组只能限定一个',
}
const isOneLimit = ({ productID, groupID }: { productID?: string | undefined; groupID?: number | undefined }) =>
  !productID || !groupID

export const ownKeyBody = z.object(shape).refine(isOneLimit, oneLimit)
export const serviceKeyBody = z.object({ ...shape, roleID: id() }).refine(isOneLimit, oneLimit)
export const updateKeyBody = z.object({ ...fieldsToUpdate(shape), id: id(), rev: int(0).optional() })

export const apiKey = z.object({
  id: z.int(),
  kind: z.int(),
  name: z.string(),
  /** The beginning of the key. */
  hint: z.string(),
  state: z.int(),
  /** Whose rights it has: of a person, or of a role. */
  userName: z.string(),
  roleID: z.int(),
  roleName: z.string(),
  apis: z.array(z.string()),
  productID: z.string(),
  productName: z.string(),
  groupID: z.int(),
  groupName: z.string(),
  addresses: z.array(z.string()),
  perMinute: z.int(),
  expiresTime: z.number(),
  createdBy: z.string(),
  createdTime: z.number(),
  /** 0: never. Up to a minute late. */
  usedTime: z.number(),
  usedIP: z.string(),
  revokedTime: z.number(),
  rev: z.int(),
})
export type ApiKey = z.output<typeof apiKey>

/** The only time that the key itself is told. */
const made = z.object({ id: z.int(), key: z.string() })

export const keySortFields = ['name', 'createdTime', 'usedTime', 'expiresTime'] as const
const listBody = z.object({
  name: filterText(64),
  kind: optionalEnum(KeyKind),
  state: optionalEnum(KeyState),
  page: pageInput,
})

export const listKeys = query('/api/v1/system/api-key/index', 'API 密钥列表', { body: listBody, data: pageOf(apiKey) })
export const createServiceKey = add('/api/v1/system/api-key/create', '新增服务账号密钥', {
  body: serviceKeyBody,
  data: made,
  fresh: true,
  personal: true,
})
export const updateKey = modify('/api/v1/system/api-key/update', '修改 API 密钥', {
  body: updateKeyBody,
  fresh: true,
  personal: true,
})
/** At once, on every server; the row stays for as long as somebody may ask who it was. */
export const revokeKey = remove('/api/v1/system/api-key/revoke', '撤销 API 密钥', {
  body: z.object({ id: id() }),
  personal: true,
})

/** What the caller can give a key of his. */
export const listKeyApis = query('/api/v1/system/api-key/choice-index', '可选接口列表', {
  access: 'signed-in',
  personal: true,
  data: z.object({ list: z.array(z.object({ path: z.string(), name: z.string(), group: z.string() })) }),
})

const own = { access: 'signed-in', personal: true } as const
export const listOwnKeys = query('/api/v1/system/api-key/self/index', '个人密钥列表', {
  ...own,
  body: listBody,
  data: pageOf(apiKey),
})
export const createOwnKey = add('/api/v1/system/api-key/self/create', '新增个人密钥', {
  ...own,
  body: ownKeyBody,
  data: made,
  fresh: true,
})
export const updateOwnKey = modify('/api/v1/system/api-key/self/update', '修改个人密钥', {
  ...own,
  body: updateKeyBody,
  fresh: true,
})
export const revokeOwnKey = remove('/api/v1/system/api-key/self/revoke', '撤销个人密钥', {
  ...own,
  body: z.object({ id: id() }),
})
