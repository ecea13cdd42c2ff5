import type { Api } from '@ithings/contract/features/apis.ts'
import type { Menu } from '@ithings/contract/features/menus.ts'
import { expect, test } from 'vitest'
import { countAdded, countRemoved, diffRights, sameRights } from './rights-diff.ts'

const menus = [
  { id: 2, name: '系统管理' },
  { id: 3, name: '用户管理' },
] as Menu[]
const apis = [{ route: '/api/a', method: 2, group: '用户管理', name: '用户列表' }] as Api[]
const rights = (menuIDs: number[], keys: string[]) => ({ menus: new Set(menuIDs), apis: new Set(keys) })

test('the same rights in another order make no difference', () => {
  expect(sameRights(rights([2, 3], ['2 /api/a']), rights([3, 2], ['2 /api/a']))).toBe(true)
  expect(sameRights(rights([2], []), rights([3], []))).toBe(false)
  expect(sameRights(rights([2], []), rights([2], ['2 /api/a']))).toBe(false)
})

test('what comes and what goes is told by name, unknown ones by their number or route', () => {
  const diff = diffRights(rights([2, 9], ['2 /api/old']), rights([2, 3], ['2 /api/a']), menus, apis)
  expect(diff).toEqual({
    menus: { added: ['用户管理'], removed: ['菜单 9'] },
    apis: { added: ['用户管理 / 用户列表'], removed: ['/api/old'] },
  })
  expect([countAdded(diff), countRemoved(diff)]).toEqual([2, 2])
})
