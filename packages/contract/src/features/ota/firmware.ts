/** Firmware packages (http-api.md 7; screens.md 21). */

import * as z from 'zod'
import { endpointsOf } from '../../endpoint.ts'
import { parseRecord } from '../../is-record.ts'
import { pageInput, pageOf } from '../../paging.ts'
import { filterText, id, int, oneOf, optionalEnum, text } from '../../wire.ts'
import { productID } from '../products.ts'

const { query, add, modify, remove } = endpointsOf('固件包管理')
/** spec 3: firmware module; 0 in filters only. */
export const FirmwareModule = { all: 0, wifi: 1, mcu: 2, main: 3 } as const
export type FirmwareModule = (typeof FirmwareModule)[keyof typeof FirmwareModule]
export const firmwareModuleLabels: Record<FirmwareModule, string> = { 0: '全部', 1: 'wifi', 2: 'mcu', 3: 'main' }
/** What devices say (device-protocol.md 8); "default" counts as main. */
export const moduleOfName = (name: string): FirmwareModule | undefined =>
  (({ wifi: 1, mcu: 2, main: 3, default: 3 }) as const)[name]

export const PackageKind = { full: 1, diff: 2 } as const
export type PackageKind = (typeof PackageKind)[keyof typeof PackageKind]
export const packageKindLabels: Record<PackageKind, string> = { 1: '整包', 2: '差分' }

export const firmwareLimits = { files: 20, bytes: 1_000 * 1024 * 1024, versions: 10 } as const
export const signMethods = ['md5', 'sha256'] as const
export type SignMethodName = (typeof signMethods)[number]
/** The public platform writes MD5, SHA@256 and SHA256. */
const signMethod = z
  .string()
  .transform((value) => value.toLowerCase().replace('sha@256', 'sha256'))
  .pipe(z.enum(signMethods))

export const versionPattern = /^\d{1,6}(\.\d{1,6}){1,3}(-[0-9A-Za-z.]{1,16})?$/
export const firmwareVersion = z.string().max(32).regex(versionPattern, '版本号形如 1.2.3 或 1.2.3-beta')

/** The documents of the public platform draw it as an object, its consoles send text. */
const asText = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : value
const desc = z.preprocess(asText, text(200).nullish())
const objectText = z
  .string()
  .max(16_384)
  .refine((value) => value === '' || parseRecord(value) !== undefined, '须为 JSON 对象')

/** Devices store a file under its name: nothing that reads as a path. */
const fileName = text(128, 1).refine(
  (name) => !/[\\/:*?"<>|\p{Cc}]/u.test(name) && name !== '.' && name !== '..',
  '文件名不能含有 \\ / : * ? " < > |',
)
const hex = (digits: number) => z.union([z.literal(''), z.string().regex(new RegExp(`^[0-9A-Fa-f]{${digits}}$`))])

const file = z.object({
  filePath: text(256, 1),
  name: fileName,
  /** Ours: what the uploader computed; refused (100006) when the server finds another. */
  md5: hex(32).optional(),
  sha256: hex(64).optional(),
  /** Ed25519 over the 32 bytes of the SHA-256, base64; checked with the product's key. */
  signature: text(128).optional(),
})

export const createFirmwareBody = z
  .object({
    name: text(64, 1),
    productID,
    version: firmwareVersion,
    isDiff: oneOf(PackageKind).default(PackageKind.full),
    signMethod: signMethod.default('sha256'),
    desc,
    extData: z.preprocess(asText, objectText.nullish()),
    files: z
      .array(file)
      .min(1)
      .max(firmwareLimits.files)
      .refine((files) => new Set(files.map(({ name }) => name)).size === files.length, '文件名不能重复')
      .refine((files) => new Set(files.map(({ filePath }) => filePath)).size === files.length, '同一个文件只能用一次'),
    /** Ours. */
    module: int(1, 3).default(FirmwareModule.main),
    srcVersion: text(32).nullish(),
  })
  .refine((one) => one.isDiff !== PackageKind.diff || one.srcVersion, {
    path: ['srcVersion'],
    message: '差分包须填写待升级版本',
  })
  .refine((one) => one.srcVersion !== one.version, { path: ['srcVersion'], message: '待升级版本不能与目标版本相同' })
export const createFirmware = add('/api/v1/things/ota/firmware/create', '新增固件包', {
  body: createFirmwareBody,
  data: z.object({ firmwareID: z.int() }),
})
export const updateFirmware = modify('/api/v1/things/ota/firmware/update', '修改固件包', {
  body: z.object({
    firmwareID: id(),
    name: text(64, 1).optional(),
    desc,
    extData: z.preprocess(asText, objectText.nullish()),
    rev: int(0).optional(),
  }),
})
const key = z.object({ firmwareID: id() })
/** Refused (100019) while a task that is not over uses it; tasks that are over stay readable. */
export const deleteFirmware = remove('/api/v1/things/ota/firmware/delete', '删除固件包', { body: key })

export const firmware = z.object({
  firmwareID: z.int(),
  name: z.string(),
  version: z.string(),
  productID: z.string(),
  productName: z.string(),
  isDiff: z.int(),
  /** Seconds. */
  createdTime: z.number(),
  signMethod: z.string(),
  desc: z.string(),
  extData: z.string(),
  module: z.int(),
  srcVersion: z.string(),
  sha256: z.string(),
  size: z.number(),
  fileCount: z.int(),
  /** Tasks of it, and those that are not over. */
  taskCount: z.int(),
  openTaskCount: z.int(),
  userName: z.string(),
  rev: z.int(),
})
export type Firmware = z.output<typeof firmware>

const storedFile = z.object({
  /** Signed, expires. */
  uri: z.string(),
  name: z.string(),
  size: z.number(),
  /** By signMethod. */
  signature: z.string(),
  md5: z.string(),
  sha256: z.string(),
  /** An Ed25519 signature was given and is good. */
  signed: z.boolean(),
})
export const readFirmware = query('/api/v1/things/ota/firmware/read', '固件包详情', {
  body: key,
  data: firmware.extend({ files: z.array(storedFile) }),
})
export const firmwareSortFields = ['name', 'version', 'createdTime', 'size'] as const
export const listFirmware = query('/api/v1/things/ota/firmware/index', '固件包列表', {
  body: z.object({
    productID: filterText(64),
    name: filterText(64),
    version: filterText(32),
    module: optionalEnum(FirmwareModule),
    /** Seconds, as the public platform has them. */
    timeStart: z.union([z.literal('').transform(() => undefined), int(0)]).optional(),
    timeEnd: z.union([z.literal('').transform(() => undefined), int(0)]).optional(),
    page: pageInput,
  }),
  data: pageOf(firmware),
})
/** Versions of the product's devices; `versions` is a JSON array text. */
export const readDeviceVersions = query('/api/v1/things/ota/firmware/device-info-read', '设备版本分布', {
  body: key,
  data: z.object({
    versions: z.string(),
    /** Ours: with counts, most first; '' never reported one. */
    list: z.array(z.object({ version: z.string(), count: z.int(), online: z.int() })),
  }),
})
/** Ours: the key that package signatures of a product are checked with; '' takes it away. */
export const saveSigningKey = modify('/api/v1/things/ota/firmware/key-save', '设置固件签名公钥', {
  body: z.object({ productID, publicKey: text(512) }),
})
/** Ours: '' when there is none. */
export const readSigningKey = query('/api/v1/things/ota/firmware/key-read', '查看固件签名公钥', {
  body: z.object({ productID }),
  data: z.object({ publicKey: z.string() }),
})
