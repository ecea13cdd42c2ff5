import { HideInMenu, type Menu, MenuType, rootMenuID } from '@ithings/contract/features/menus.ts'
import { expect, test } from 'vitest'
import {
  buildTree,
  familyOf,
  flatten,
  type MenuNode,
  nextOrder,
  parentOptions,
  pathOwner,
  searchTree,
} from './menu-tree.ts'

const entry = (id: number, parentID: number, name: string, more: Partial<Menu> = {}): Menu => ({
  id,
  parentID,
  name,
  type: MenuType.page,
  path: `/p${id}`,
  component: '',
  icon: 'icon_data_01',
  redirect: '',
  order: id,
  createTime: 0,
  hideInMenu: HideInMenu.show,
  rev: 1,
  ...more,
})

const shape = (tree: readonly MenuNode[]): unknown[] =>
  tree.map((node) => (node.children ? [node.name, shape(node.children)] : node.name))

const list = [
  entry(2, rootMenuID, '系统管理', { type: MenuType.directory, path: '/systemMangers', order: 9 }),
  entry(3, rootMenuID, '设备管理', { type: MenuType.directory, path: '/deviceMangers', order: 1 }),
  entry(4, 2, '日志', { type: MenuType.directory, path: '', order: 2 }),
  entry(5, 4, '登录日志', { path: '/systemMangers/log/loginLog/index' }),
  entry(6, 4, '操作日志', { path: '/systemMangers/log/operationLog/index' }),
  entry(7, 2, '菜单管理', { order: 1 }),
  entry(8, 7, '删除按钮', { type: MenuType.button, path: '' }),
]

test('the tree is nested by parent and sorted by order', () => {
  expect(shape(buildTree(list))).toEqual([
    '设备管理',
    [
      '系统管理',
      [
        ['菜单管理', ['删除按钮']],
        ['日志', ['登录日志', '操作日志']],
      ],
    ],
  ])
})

test('rows of a missing parent and rows that are each other’s parent stay in sight', () => {
  const broken = [entry(2, 99, '孤儿'), entry(3, 4, '甲'), entry(4, 3, '乙'), entry(5, 5, '自己')]
  const all = flatten(buildTree(broken)).map((node) => node.name)
  expect(all.toSorted()).toEqual(['乙', '孤儿', '甲', '自己'].toSorted())
})

test('a search finds nested entries and keeps their ancestors only', () => {
  expect(shape(searchTree(buildTree(list), { name: '登录' }))).toEqual([['系统管理', [['日志', ['登录日志']]]]])
  expect(shape(searchTree(buildTree(list), { path: 'OPERATIONLOG' }))).toEqual([['系统管理', [['日志', ['操作日志']]]]])
  expect(shape(searchTree(buildTree(list), { name: '日志', path: 'login' }))).toEqual([
    ['系统管理', [['日志', ['登录日志']]]],
  ])
  expect(searchTree(buildTree(list), { name: '不存在' })).toEqual([])
})

test('an empty search is no search', () => {
  expect(shape(searchTree(buildTree(list), { name: ' ', path: undefined }))).toEqual(shape(buildTree(list)))
})

test('neither the entry itself, nor its descendants, nor a button can be chosen as parent', () => {
  const options = parentOptions(buildTree(list), 4)
  const all: { value: number; disabled: boolean }[] = []
  const walk = (some: typeof options) => {
    for (const one of some) {
      all.push(one)
      walk(one.children)
    }
  }
  walk(options)
  const open = all.filter((one) => !one.disabled).map((one) => one.value)
  expect(open).toEqual([rootMenuID, 3, 2, 7])
  expect([...familyOf(buildTree(list), 4)]).toEqual([4, 5, 6])
})

test('a new entry is placed behind its siblings', () => {
  expect(nextOrder(list, rootMenuID)).toBe(10)
  expect(nextOrder(list, 3)).toBe(1)
})

test('the owner of a path is another page, not the entry itself', () => {
  expect(pathOwner(list, '/systemMangers/log/loginLog/index', undefined)?.name).toBe('登录日志')
  expect(pathOwner(list, '/systemMangers/log/loginLog/index', 5)).toBeUndefined()
  expect(pathOwner(list, '/systemMangers', undefined)).toBeUndefined()
})
