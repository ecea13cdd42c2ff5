/** An OpenAPI document as rows of the registry, compared with what is registered. Pure. */

import { describeIssue } from '@ithings/contract/describe-issue.ts'
import { BusinessType, HttpMethod } from '@ithings/contract/endpoint.ts'
import { type Api, createApiBody } from '@ithings/contract/features/apis.ts'
import { t } from '@ithings/contract/text.ts'
import type * as z from 'zod'
import { sameApi } from './api-groups.ts'

export type NewApi = z.output<typeof createApiBody>

export const ImportState = {
  added: 'added',
  changed: 'changed',
  same: 'same',
  builtIn: 'builtIn',
  refused: 'refused',
} as const
export type ImportState = (typeof ImportState)[keyof typeof ImportState]

export interface ImportRow {
  key: string
  state: ImportState
  api: NewApi
  /** The registered row that it would change. */
  stored?: Api | undefined
  /** Why it cannot be taken, or what it would change. */
  note?: string | undefined
}

const methods: Readonly<Record<string, HttpMethod>> = {
  get: HttpMethod.get,
  post: HttpMethod.post,
  head: HttpMethod.head,
  options: HttpMethod.options,
  put: HttpMethod.put,
  delete: HttpMethod.delete,
  trace: HttpMethod.trace,
}

type Json = Record<string, unknown>
const asObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() ? value.trim() : undefined

const verbs: [RegExp, BusinessType][] = [
  [/(create|add|import|register)$/i, BusinessType.add],
  [/(delete|remove|clear)$/i, BusinessType.delete],
  [/(update|modify|edit|save|set)$/i, BusinessType.modify],
  [/(index|list|read|get|query|count|search)$/i, BusinessType.query],
]

/** OpenAPI knows no operation type: by method, and for POST by the last word of the route. */
export function guessBusinessType(method: HttpMethod, route: string): BusinessType {
  if (method === HttpMethod.get || method === HttpMethod.head) return BusinessType.query
  if (method === HttpMethod.delete) return BusinessType.delete
  if (method === HttpMethod.put) return BusinessType.modify
  return verbs.find(([word]) => word.test(route))?.[1] ?? BusinessType.other
}

/** `servers[0].url` may carry the start of every path: https://host/api/v1 or just /api/v1. */
function basePath(document: Json): string {
  const first = Array.isArray(document.servers) ? asText(asObject(document.servers[0]).url) : undefined
  const path = (first ?? '').replace(/^[a-z]+:\/\/[^/]*/i, '')
  return path.replace(/\/+$/, '')
}

/** Each operation of the document; a text that is none throws a sentence for people. */
export function readOpenApi(text: string): NewApi[] {
  let document: Json
  try {
    document = asObject(JSON.parse(text))
  } catch {
    throw new Error(t('不是有效的 JSON 文件'))
  }
  if (!asText(document.openapi) && !asText(document.swagger))
    throw new Error(t('不是 OpenAPI 文档：缺少 openapi 版本号'))
  const base = basePath(document)
  const found = Object.entries(asObject(document.paths)).flatMap(([path, operations]) => {
    const route = (path.startsWith('/api/') ? path : base + path).replace(/\{([^}]+)\}/g, ':$1')
    return Object.entries(asObject(operations)).flatMap(([word, operation]) => {
      const method = methods[word.toLowerCase()]
      if (method === undefined) return []
      const { summary, operationId, tags } = asObject(operation)
      const group = Array.isArray(tags) ? asText(tags[0]) : undefined
      const name = asText(summary) ?? asText(operationId) ?? route
      return [{ route, method, group: group ?? t('未分组'), name, businessType: guessBusinessType(method, route) }]
    })
  })
  if (found.length === 0) throw new Error(t('文档里没有接口'))
  return found
}

const changes = (before: Api, after: NewApi): string[] => [
  ...(before.name === after.name ? [] : [t('名称：{before} → {after}', { before: before.name, after: after.name })]),
  ...(before.group === after.group
    ? []
    : [t('分组：{before} → {after}', { before: before.group, after: after.group })]),
]

/** What an import would do, operation by operation. The operation type of a registered API is kept: ours was a guess. */
export function compareImport(found: readonly NewApi[], registered: readonly Api[]): ImportRow[] {
  return found.map((api) => {
    const key = `${api.method} ${api.route}`
    const issue = createApiBody.safeParse(api).error?.issues[0]
    if (issue) {
      const label = labels[String(issue.path[0])]
      return { key, api, state: ImportState.refused, note: describeIssue(issue, label && t(label)) }
    }
    const stored = sameApi(registered, api, undefined)
    if (!stored) return { key, api, state: ImportState.added }
    if (stored.builtIn) return { key, api, state: ImportState.builtIn, stored }
    const kept = { ...api, businessType: stored.businessType as BusinessType }
    const note = changes(stored, kept).join(t('；'))
    return note
      ? { key, api: kept, state: ImportState.changed, stored, note }
      : { key, api: kept, state: ImportState.same, stored }
  })
}

const labels: Readonly<Record<string, string>> = { route: '接口路由', group: '接口分组', name: '接口名称' }
