import { BusinessType, HttpMethod } from '@ithings/contract/endpoint.ts'
import type { Api } from '@ithings/contract/features/apis.ts'
import { expect, test } from 'vitest'
import { groupsOf, pageOfGroup, sameApi } from './api-groups.ts'

const api = (id: number, group: string, route: string, method: number = HttpMethod.post): Api => ({
  id,
  group,
  route,
  method,
  name: `接口${id}`,
  businessType: BusinessType.query,
  builtIn: false,
  roles: [],
  rev: 1,
})

const list = [api(1, '用户管理', '/api/a'), api(2, '菜单管理', '/api/b'), api(3, '用户管理', '/api/c')]

test('groups are counted in the order of their first API', () => {
  expect(groupsOf(list)).toEqual([
    { name: '用户管理', count: 2 },
    { name: '菜单管理', count: 1 },
  ])
})

test('an API is taken when route and method are both the same, except by itself', () => {
  expect(sameApi(list, { route: '/api/b', method: HttpMethod.post }, undefined)?.id).toBe(2)
  expect(sameApi(list, { route: '/api/b', method: HttpMethod.get }, undefined)).toBeUndefined()
  expect(sameApi(list, { route: '/api/b', method: HttpMethod.post }, 2)).toBeUndefined()
})

test('a group is matched whole and cut into pages', () => {
  const pumps = [api(1, '泵站', '/api/a'), api(2, '泵站与管网', '/api/b'), api(3, '泵站', '/api/c')]
  expect(pageOfGroup(pumps, '泵站', { page: 2, size: 1 })).toMatchObject({ list: [{ id: 3 }], total: 2 })
})
