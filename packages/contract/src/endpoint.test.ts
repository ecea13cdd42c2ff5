import { expect, test } from 'vitest'
import { BusinessType, businessTypeLabels, HttpMethod, httpMethodLabels } from './endpoint.ts'

test('spec 3: operation type is 1 add, 2 delete, 3 modify, 4 query, 5 other', () => {
  expect(BusinessType).toEqual({ add: 1, delete: 2, modify: 3, query: 4, other: 5 })
  expect(businessTypeLabels).toEqual({ 1: '新增', 2: '删除', 3: '修改', 4: '查询', 5: '其它' })
})

test('spec 3: HTTP method is 1 GET to 8 CONNECT and 9 other', () => {
  expect(Object.values(HttpMethod)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  expect(HttpMethod).toMatchObject({ get: 1, post: 2, head: 3, options: 4, put: 5, delete: 6, trace: 7, connect: 8 })
  expect(httpMethodLabels).toEqual({
    1: 'GET',
    2: 'POST',
    3: 'HEAD',
    4: 'OPTIONS',
    5: 'PUT',
    6: 'DELETE',
    7: 'TRACE',
    8: 'CONNECT',
    9: '其它',
  })
})
