import { BusinessType, HttpMethod } from '@ithings/contract/endpoint.ts'
import type { Api } from '@ithings/contract/features/apis.ts'
import { expect, test } from 'vitest'
import { compareImport, guessBusinessType, readOpenApi } from './openapi-import.ts'

const document = (paths: unknown, more: object = {}) => JSON.stringify({ openapi: '3.1.0', ...more, paths })

test('operations become rows with group, name and colon parameters', () => {
  const text = document({
    '/api/v1/pump/{id}': {
      parameters: [],
      get: { summary: '读取泵站', tags: ['泵站'] },
      delete: { operationId: 'removePump' },
    },
  })
  expect(readOpenApi(text)).toEqual([
    {
      route: '/api/v1/pump/:id',
      method: HttpMethod.get,
      group: '泵站',
      name: '读取泵站',
      businessType: BusinessType.query,
    },
    {
      route: '/api/v1/pump/:id',
      method: HttpMethod.delete,
      group: '未分组',
      name: 'removePump',
      businessType: BusinessType.delete,
    },
  ])
})

test('the path of the first server stands before paths that are not under /api/', () => {
  const text = document({ '/pump/index': { post: {} } }, { servers: [{ url: 'https://pump.example/api/v1/' }] })
  expect(readOpenApi(text)[0]?.route).toBe('/api/v1/pump/index')
})

test('a text that is no OpenAPI document is refused in words', () => {
  expect(() => readOpenApi('{')).toThrow('不是有效的 JSON 文件')
  expect(() => readOpenApi('{"paths":{}}')).toThrow('不是 OpenAPI 文档')
  expect(() => readOpenApi(document({}))).toThrow('文档里没有接口')
})

test('the operation type of a POST is guessed by the last word of the route', () => {
  const types = ['/api/x/create', '/api/x/multi-delete', '/api/x/update', '/api/x/index', '/api/x/reboot'].map(
    (route) => guessBusinessType(HttpMethod.post, route),
  )
  expect(types).toEqual([1, 2, 3, 4, 5])
})

test('the comparison tells new, changed, same, built-in and refused rows apart', () => {
  const row = (route: string, name: string) => ({
    route,
    method: HttpMethod.post,
    group: '泵站',
    name,
    businessType: BusinessType.other,
  })
  const stored = (route: string, name: string, builtIn = false): Api => ({
    ...row(route, name),
    id: 7,
    businessType: BusinessType.add,
    builtIn,
    roles: [],
    rev: 1,
  })
  const rows = compareImport(
    [row('/api/a', '甲'), row('/api/b', '乙新'), row('/api/c', '丙'), row('/api/d', '丁'), row('/rest/e', '戊')],
    [stored('/api/b', '乙'), stored('/api/c', '丙'), stored('/api/d', '丁', true)],
  )
  expect(rows.map(({ state }) => state)).toEqual(['added', 'changed', 'same', 'builtIn', 'refused'])
  expect(rows[1]).toMatchObject({ note: '名称：乙 → 乙新', api: { businessType: BusinessType.add } })
  expect(rows[4]?.note).toBe('接口路由必须以 /api/ 开头，只能包含字母、数字和 / _ - . : *')
})
