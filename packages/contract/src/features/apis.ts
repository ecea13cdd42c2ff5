/** The API registry 接口管理 (http-api.md 2.5): built-in rows are rewritten from the contract at start. */
import * as z from 'zod'
import { BusinessType, endpointsOf, HttpMethod } from '../endpoint.ts'
import { pageInput, pageOf } from '../paging.ts'
import { filterText, id, int, oneOf, optionalEnum, text } from '../wire.ts'

const group = '接口管理'
const { query, add, modify, remove } = endpointsOf(group)
export const api = z.object({
  id: z.int(),
  route: z.string(),
  method: z.int(),
  group: z.string(),
  name: z.string(),
  businessType: z.int(),
  /** Ours: rows of the platform itself cannot be edited or deleted. */
  builtIn: z.boolean(),
  /** Ours: names of the roles that hold it (admin holds all). */
  roles: z.array(z.string()),
  rev: z.int(),
})
export type Api = z.output<typeof api>

const route = z
  .string()
  .trim()
  .regex(/^\/api\/[A-Za-z0-9/_:*.-]+$/, '必须以 /api/ 开头，只能包含字母、数字和 / _ - . : *')
  .max(256)

export const createApiBody = z.object({
  route,
  method: oneOf(HttpMethod),
  group: text(32, 1),
  name: text(64, 1),
  businessType: oneOf(BusinessType),
})
export const createApi = add('/api/v1/system/api/create', '新增接口', {
  body: createApiBody,
  data: z.object({ id: z.int() }),
})

export const updateApiBody = z.object({
  id: id(),
  route: route.optional(),
  method: optionalEnum(HttpMethod),
  group: text(32, 1).optional(),
  name: text(64, 1).optional(),
  businessType: optionalEnum(BusinessType),
  rev: int(0).optional(),
})
export const updateApi = modify('/api/v1/system/api/update', '修改接口', { body: updateApiBody })

export const apiSortFields = ['id', 'route', 'method', 'group', 'name', 'businessType'] as const

export const listApis = query('/api/v1/system/api/index', '接口列表', {
  body: z.object({
    page: pageInput,
    route: filterText(),
    method: optionalEnum(HttpMethod),
    group: filterText(),
    name: filterText(),
    businessType: optionalEnum(BusinessType),
  }),
  data: pageOf(api),
})

export const deleteApi = remove('/api/v1/system/api/delete', '删除接口', { body: z.object({ id: id() }) })
