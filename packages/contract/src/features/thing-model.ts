/** Thing model endpoints (http-api.md 3.3), with versions and import modes. */
import * as z from 'zod'
import { endpointsOf } from '../endpoint.ts'
import { pageInput, pageOf } from '../paging.ts'
import { FunctionTag } from '../thing-model/affordance.ts'
import { identifierPattern } from '../thing-model/limits.ts'
import { FunctionType } from '../thing-model/model.ts'
import { id, int, oneOf, optionalEnum, text } from '../wire.ts'
import { productID } from './products.ts'

const { query, add, modify, remove } = endpointsOf('物模型')
export const schemaItem = z.object({
  productID: z.string(),
  type: z.int(),
  tag: z.int(),
  identifier: z.string(),
  name: z.string(),
  desc: z.string(),
  required: z.int(),
  /** JSON text (thing-model.md 3). */
  affordance: z.string(),
})
export type SchemaItem = z.output<typeof schemaItem>

const identifier = z.string().regex(identifierPattern, '须以字母或下划线开头，只含字母、数字、下划线，最长 128 位')
const affordance = z.string().max(200_000)

export const createSchema = add('/api/v1/things/product/schema/create', '新增功能定义', {
  body: z.object({
    productID,
    type: oneOf(FunctionType),
    tag: oneOf(FunctionTag).default(FunctionTag.custom),
    identifier,
    name: text(64, 1),
    desc: text(80).default(''),
    required: int(0, 2).default(2),
    affordance,
  }),
})

export const updateSchema = modify('/api/v1/things/product/schema/update', '修改功能定义', {
  body: z.object({
    productID,
    type: oneOf(FunctionType),
    tag: oneOf(FunctionTag).optional(),
    identifier,
    name: text(64, 1).optional(),
    desc: text(80).optional(),
    required: int(0, 2).optional(),
    affordance: affordance.optional(),
  }),
})

export const deleteSchema = remove('/api/v1/things/product/schema/delete', '删除功能定义', {
  body: z.object({ productID, identifier: text(128, 1) }),
})

export const listSchema = query('/api/v1/things/product/schema/index', '功能定义列表', {
  body: z.object({
    page: pageInput,
    productID,
    type: optionalEnum(FunctionType),
    tag: optionalEnum(FunctionTag),
    identifiers: z.array(z.string().max(128)).max(1000).optional(),
    /** Ours: contains, in name or identifier. */
    keyword: z.string().trim().max(128).optional(),
  }),
  data: pageOf(schemaItem),
})

/** Preview answers the difference and changes nothing. */
export const ImportMode = { replace: 'replace', merge: 'merge', preview: 'preview' } as const
const listed = z.object({ type: z.int(), identifier: z.string(), name: z.string() })
const changed = listed.extend({ fields: z.array(z.string()), typeChanged: z.boolean() })
export const modelDiff = z.object({ added: z.array(listed), changed: z.array(changed), removed: z.array(listed) })

export const importTsl = modify('/api/v1/things/product/schema/tsl-import', '导入物模型', {
  body: z.object({
    productID,
    tsl: z.string().min(1).max(900_000),
    mode: z.enum(ImportMode).default(ImportMode.replace),
  }),
  data: modelDiff,
})

export const readTsl = query('/api/v1/things/product/schema/tsl-read', '导出物模型', {
  body: z.object({ productID }),
  data: z.object({ tsl: z.string() }),
})

export const schemaVersion = z.object({
  version: z.int(),
  /** What was done, in words. */
  title: z.string(),
  userName: z.string(),
  createdTime: z.string(),
  propertyCount: z.int(),
  eventCount: z.int(),
  actionCount: z.int(),
})

export const listSchemaVersions = query('/api/v1/things/product/schema/version-index', '物模型版本列表', {
  body: z.object({ page: pageInput, productID }),
  data: pageOf(schemaVersion),
})

export const readSchemaVersion = query('/api/v1/things/product/schema/version-read', '查看物模型版本', {
  body: z.object({ productID, version: id() }),
  data: z.object({ tsl: z.string(), diff: modelDiff }),
})

export const restoreSchemaVersion = modify('/api/v1/things/product/schema/version-restore', '恢复物模型版本', {
  body: z.object({ productID, version: id() }),
  data: modelDiff,
})

/** Ours: what refers to a function, asked before it is deleted or its type changed. */
export const listSchemaReferences = query('/api/v1/things/product/schema/reference-index', '功能定义的引用', {
  body: z.object({ productID, identifiers: z.array(z.string().max(128)).min(1).max(500) }),
  data: z.object({
    list: z.array(z.object({ identifier: z.string(), kind: z.string(), title: z.string(), count: z.int() })),
  }),
})
