import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import { HttpMethod } from '@ithings/contract/endpoint.ts'
import type { Api } from '@ithings/contract/features/apis.ts'
import { type Menu, MenuType } from '@ithings/contract/features/menus.ts'
import { expect, test } from 'vitest'
import { apiKeyOf } from './api-selection.ts'
import { apisForMenu, suggestApis } from './suggest-apis.ts'

const api = (route: string, group: string, name = route): Api => ({
  id: 1,
  route,
  method: HttpMethod.post,
  group,
  name,
  businessType: 4,
  builtIn: true,
  roles: [],
  rev: 1,
})
const menu = (id: number, name: string, path: string) => ({ id, name, path, type: 2 }) as Menu

// The registry as the server fills it from the contract.
const registry = allEndpoints
  .filter((endpoint) => endpoint.access === 'role')
  .map((endpoint) => api(endpoint.path, endpoint.group, endpoint.name))
const routes = (apis: Api[]) => apis.map((one) => one.route.replace('/api/v1/', ''))

test('a menu entry is offered the group of its name', () => {
  const found = apisForMenu(menu(3, '用户管理', '/systemMangers/user/index'), registry)
  expect(routes(found)).toContain('system/user/index')
  expect(new Set(found.map((one) => one.group))).toEqual(new Set(['用户管理']))
  expect(routes(apisForMenu(menu(4, '角色管理', '/systemMangers/role/index'), registry))).toContain(
    'system/auth/api/index',
  )
})

test('without such a group the words of the path decide', () => {
  expect(routes(apisForMenu(menu(8, '登录日志', '/systemMangers/log/loginLog/index'), registry))).toEqual([
    'system/log/login/index',
  ])
  expect(routes(apisForMenu(menu(9, '操作日志', '/systemMangers/log/operationLog/index'), registry))).toEqual([
    'system/log/oper/index',
    'system/log/oper/export',
  ])
})

test('singular, plural and shortened words agree; the area must too', () => {
  const all = [
    api('/api/v1/things/product/remote-config/index', '产品'),
    api('/api/v1/things/rule/alarm/info/index', '规则'),
    api('/api/v1/system/alarm/index', '系统'),
  ]
  expect(routes(apisForMenu(menu(1, '远程', '/operationsMonitorings/remoteConfiguration/index'), all))).toEqual([
    'things/product/remote-config/index',
  ])
  expect(routes(apisForMenu(menu(1, '报警', '/alarmMangers/alarms/index'), all))).toEqual([
    'things/rule/alarm/info/index',
  ])
})

test('an entry that only groups others is offered nothing', () => {
  expect(apisForMenu(menu(1, '用户管理', ''), registry)).toEqual([])
  const group = { ...menu(2, '系统管理', '/systemMangers'), type: MenuType.directory }
  expect(apisForMenu(group, registry)).toEqual([])
})

test('the very name of a group wins over a similar one', () => {
  const all = [api('/api/v1/system/a', '系统设置'), api('/api/v1/system/b', '系统管理')]
  expect(apisForMenu(menu(1, '系统管理', '/systemMangers/x'), all).map((one) => one.group)).toEqual(['系统管理'])
  expect(apisForMenu(menu(1, '系统', '/systemMangers/x'), all)).toHaveLength(2)
})

test('only held entries are looked at, held APIs are left out, and each API is offered once', () => {
  const menus = [
    menu(3, '用户管理', '/systemMangers/user/index'),
    menu(30, '用户', '/systemMangers/user/other'),
    menu(4, '角色管理', '/systemMangers/role/index'),
  ]
  const first = registry.find((one) => one.group === '用户管理')
  const held = { menus: new Set([3, 30]), apis: new Set(first ? [apiKeyOf(first)] : []) }
  const offers = suggestApis(menus, registry, held)
  expect(offers.map((offer) => offer.menu.id)).toEqual([3])
  expect(offers[0]?.apis).toEqual(registry.filter((one) => one.group === '用户管理' && one !== first))
})
