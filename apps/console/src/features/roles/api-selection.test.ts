import type { Api } from '@ithings/contract/features/apis.ts'
import { expect, test } from 'vitest'
import {
  apiGroups,
  apiKeyOf,
  groupKey,
  groupStates,
  parseApiKey,
  searchApis,
  toggleApi,
  toggleShownApis,
} from './api-selection.ts'

const api = (route: string, group: string, name: string, businessType = 4): Api => ({
  id: 1,
  route,
  method: 2,
  group,
  name,
  businessType,
  builtIn: true,
  roles: [],
  rev: 1,
})

const groups = apiGroups([
  api('/api/user/index', '用户管理', '用户列表'),
  api('/api/role/index', '角色管理', '角色列表'),
  api('/api/user/create', '用户管理', '新增用户', 1),
])
const key = (route: string) => `2 ${route}`

test('a key names route and method and can be read back', () => {
  expect(parseApiKey(apiKeyOf({ route: '/api/a b', method: 6 }))).toEqual({ route: '/api/a b', method: 6 })
})

test('APIs stand in their groups, in the order of the first of each', () => {
  expect(groups.map(({ group, apis }) => [group, apis.length])).toEqual([
    ['用户管理', 2],
    ['角色管理', 1],
  ])
})

test('a search looks at name, route, method and group, and may be narrowed to one operation type', () => {
  const found = (keyword: string, businessType?: 1 | 4) =>
    searchApis(groups, { keyword, businessType }).flatMap(({ apis }) => apis.map((one) => one.name))
  expect(found('新增')).toEqual(['新增用户'])
  expect(found('/ROLE/')).toEqual(['角色列表'])
  expect(found('post')).toHaveLength(3)
  expect(found('用户管理')).toEqual(['用户列表', '新增用户'])
  expect(found('', 4)).toEqual(['用户列表', '角色列表'])
  expect(found('没有')).toEqual([])
})

test('a group is checked with all of its APIs and half with some', () => {
  expect(groupStates(groups, new Set([key('/api/user/index'), key('/api/role/index')]))).toEqual({
    checked: [key('/api/user/index'), key('/api/role/index'), groupKey('角色管理')],
    half: [groupKey('用户管理')],
  })
})

test('a click on a group takes what is shown of it and nothing else', () => {
  const shown = searchApis(groups, { keyword: '新增' })
  expect([...toggleApi(shown, new Set([key('/api/role/index')]), groupKey('用户管理'), true)]).toEqual([
    key('/api/role/index'),
    key('/api/user/create'),
  ])
  expect([...toggleApi(groups, new Set([key('/api/user/index')]), key('/api/user/index'), false)]).toEqual([])
})

test('全选 and 清空 work on what is shown', () => {
  expect(toggleShownApis(groups, new Set(), true).size).toBe(3)
  const left = toggleShownApis(searchApis(groups, { keyword: '角色' }), toggleShownApis(groups, new Set(), true), false)
  expect([...left]).toEqual([key('/api/user/index'), key('/api/user/create')])
})
