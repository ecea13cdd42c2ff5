import { expect, test } from 'vitest'
import { createApiBody, listApis, updateApiBody } from './apis.ts'

const valid = { route: '/api/v1/things/report', method: 2, group: '报表', name: '导出报表', businessType: 4 }

test('an API needs route, method, group, name and operation type', () => {
  expect(createApiBody.parse({ ...valid, method: '2', businessType: '4' })).toEqual(valid)
  for (const key of Object.keys(valid)) {
    expect(createApiBody.safeParse({ ...valid, [key]: undefined }).success).toBe(false)
  }
})

test.each(['/front/x', 'api/v1/x', '/api/', '/api/v1/a b', '/api/v1/a?b'])('%s is no route of an API', (route) => {
  expect(createApiBody.safeParse({ ...valid, route }).success).toBe(false)
})

test('methods beyond 9 and operation types beyond 5 are refused', () => {
  expect(createApiBody.safeParse({ ...valid, method: 10 }).success).toBe(false)
  expect(createApiBody.safeParse({ ...valid, businessType: 6 }).success).toBe(false)
})

test('an update changes only what it names', () => {
  expect(updateApiBody.parse({ id: 4, method: 0, businessType: '' })).toEqual({ id: 4 })
})

test('the list takes the filters of the public console as numbers or digit text', () => {
  expect(listApis.body.parse({ page: { page: 1, size: 10 }, method: '2', route: ' /api ', label: 'x' })).toEqual({
    page: { page: 1, size: 10 },
    method: 2,
    route: '/api',
  })
})
