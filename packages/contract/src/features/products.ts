/** Products (http-api.md 3.1, 3.2). */
import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'
import { pageInput, pageOf } from '../paging.ts'
import { filterText, int, optionalEnum, strInt, tag, tagsInput, text } from '../wire.ts'

const { query, add, modify, remove } = endpointsOf('产品管理')
/** spec 3: device type. */
export const DeviceType = { device: 1, gateway: 2, subDevice: 3 } as const
export type DeviceType = (typeof DeviceType)[keyof typeof DeviceType]
export const deviceTypeLabels: Record<DeviceType, string> = { 1: '设备', 2: '网关', 3: '子设备' }

/** spec 3: network type. */
export const NetType = { other: 1, wifi: 2, mobile: 3, mobile5g: 4, ble: 5, lorawan: 6 } as const
export type NetType = (typeof NetType)[keyof typeof NetType]
export const netTypeLabels: Record<NetType, string> = {
  1: '其他',
  2: 'wi-fi',
  3: '2G/3G/4G',
  4: '5G',
  5: 'BLE',
  6: 'LoRaWAN',
}

/** spec 3: authentication mode. */
export const AuthMode = { password: 1, secretKey: 2 } as const
export type AuthMode = (typeof AuthMode)[keyof typeof AuthMode]
export const authModeLabels: Record<AuthMode, string> = { 1: '账密认证', 2: '密钥认证' }

/** spec 3: auto-create mode. */
export const AutoRegister = { off: 1, on: 2, create: 3 } as const
export type AutoRegister = (typeof AutoRegister)[keyof typeof AutoRegister]
export const autoRegisterLabels: Record<AutoRegister, string> = { 1: '关闭', 2: '打开', 3: '打开并自动创建设备' }

/** spec 3: data template type. */
export const DataProto = { custom: 1, template: 2 } as const
export type DataProto = (typeof DataProto)[keyof typeof DataProto]
export const dataProtoLabels: Record<DataProto, string> = { 1: '自定义', 2: '数据模板' }

/** decisions.md 2 "Device method names". */
export const Dialect = { auto: 0, snake: 1, camel: 2 } as const
export type Dialect = (typeof Dialect)[keyof typeof Dialect]
export const dialectLabels: Record<Dialect, string> = { 0: '自动识别', 1: 'snake_case', 2: 'camelCase' }

/** spec 3: log retention options, in days (decisions.md 2 "Log retention"). */
export const logRetentionDays = [1, 3, 7, 15] as const
export const defaultLogDays = 7
export const defaultValueDays = 365

export const productIDPattern = /^[0-9A-Za-z]{11}$/
export const productID = z.string().regex(productIDPattern, '格式为11位数字和英文字母组成的字符串')

export const product = z.object({
  productID: z.string(),
  productName: z.string(),
  productImg: z.string(),
  authMode: z.int(),
  deviceType: z.int(),
  categoryID: z.int(),
  netType: z.int(),
  dataProto: z.int(),
  autoRegister: z.int(),
  /** Only in `read`, and there "" for whoever may not call `secret-read`; lists carry "". */
  secret: z.string(),
  desc: z.string(),
  tags: z.array(tag),
  createdTime: strInt,
  /** The public platform names both and gives them no meaning. */
  devStatus: z.int(),
  isUpdateProductImg: z.boolean(),
  dialect: z.int(),
  valueDays: z.int(),
  logDays: z.int(),
  deviceCount: z.int(),
  onlineCount: z.int(),
  propertyCount: z.int(),
  eventCount: z.int(),
  actionCount: z.int(),
  rev: z.int(),
})
export type Product = z.output<typeof product>

const settings = {
  netType: optionalEnum(NetType),
  autoRegister: optionalEnum(AutoRegister),
  categoryID: int(0).optional(),
  dialect: int(0, 2).optional(),
  valueDays: int(1, 3650).optional(),
  logDays: int()
    .refine((days) => logRetentionDays.some((option) => option === days), '只能是 1、3、7、15 天')
    .optional(),
  desc: text(512).optional(),
  tags: tagsInput.optional(),
  productImg: text(512).optional(),
}

export const createProductBody = z.object({
  productName: text(64, 1),
  productID: z.union([z.literal('').transform(() => undefined), productID]).optional(),
  authMode: optionalEnum(AuthMode),
  deviceType: optionalEnum(DeviceType),
  dataProto: optionalEnum(DataProto),
  ...settings,
})
export const createProduct = add('/api/v1/things/product/info/create', '新增产品', {
  body: createProductBody,
  data: z.object({ productID: z.string() }),
})

/** Type, protocol and authentication are fixed at creation: devices were built for them. */
export const updateProductBody = z.object({
  productID,
  productName: z.union([z.literal('').transform(() => undefined), text(64, 1)]).optional(),
  isUpdateProductImg: z.boolean().optional(),
  rev: int(0).optional(),
  ...settings,
})
export const updateProduct = modify('/api/v1/things/product/info/update', '修改产品', { body: updateProductBody })

export const deleteProduct = remove('/api/v1/things/product/info/delete', '删除产品', { body: z.object({ productID }) })

export const productSortFields = [
  'productName',
  'productID',
  'deviceType',
  'netType',
  'createdTime',
  'deviceCount',
] as const

export const listProducts = query('/api/v1/things/product/info/index', '产品列表', {
  body: z.object({
    page: pageInput,
    /** Contains, in the name or the id. */
    productName: filterText(),
    deviceType: optionalEnum(DeviceType),
    netType: optionalEnum(NetType),
    productIDs: z.array(z.string().max(64)).max(2000).optional(),
    tags: z
      .array(z.object({ key: z.string().max(32), value: z.string().max(64) }))
      .max(10)
      .optional(),
  }),
  data: pageOf(product).extend({ num: z.int() }),
})

/**
 * Existing consoles show the secret that `read` carries, so holders of the right to see it go on getting it there. Our
 * console says false and asks by `secret-read`, so that it shows nothing that the operation log does not know of.
 */
export const withSecret = z.boolean().default(true)

export const readProduct = query('/api/v1/things/product/info/read', '查看产品', {
  body: z.object({ productID, withSecret }),
  data: product,
})
