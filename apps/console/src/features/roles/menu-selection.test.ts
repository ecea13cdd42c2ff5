import { type Menu, MenuType } from '@ithings/contract/features/menus.ts'
import { expect, test } from 'vitest'
import { checkStates, flatMenus, menuTree, searchMenus, toggleMenu, toggleShown } from './menu-selection.ts'

const menu = (id: number, parentID: number, name: string, type: number = MenuType.page, order = id): Menu => ({
  id,
  parentID,
  name,
  type,
  order,
  path: `/${name}`,
  component: '',
  icon: '',
  redirect: '',
  createTime: 0,
  hideInMenu: 2,
  rev: 1,
})

// 系统 > 用户, 日志 > (登录, 操作); 设备 is a page with a detail below it.
const entries = [
  menu(2, 1, '系统', MenuType.directory),
  menu(3, 2, '用户'),
  menu(4, 2, '日志', MenuType.directory),
  menu(5, 4, '登录'),
  menu(6, 4, '操作'),
  menu(7, 1, '设备'),
  menu(8, 7, '设备详情'),
]
const tree = menuTree(entries)
const sorted = (ids: Iterable<number>) => [...ids].sort((a, b) => a - b)

test('the tree is sorted by order and nested by parentID; orphans stand at the top', () => {
  const nodes = menuTree([menu(9, 77, '孤儿', MenuType.page, 0), ...entries, menu(10, 1, '首页', MenuType.page, 1)])
  expect(nodes.map((node) => node.menu.name)).toEqual(['孤儿', '首页', '系统', '设备'])
  expect(nodes[2]?.children.map((node) => node.menu.name)).toEqual(['用户', '日志'])
})

test('entries that name each other as parents do not hang the tree', () => {
  expect(flatMenus(menuTree([menu(20, 21, 'a'), menu(21, 20, 'b'), menu(22, 1, 'c')])).map((one) => one.id)).toEqual([
    22,
  ])
})

test('a parent of some held entries is half checked, of all held entries checked', () => {
  expect(checkStates(tree, new Set([2, 4, 5]))).toEqual({ checked: [5], half: [4, 2] })
  expect(checkStates(tree, new Set([2, 3, 4, 5, 6])).checked.sort()).toEqual([2, 3, 4, 5, 6])
})

test('a stored parent without children, and a stored child without its parent, read as half', () => {
  expect(checkStates(tree, new Set([7]))).toEqual({ checked: [], half: [7] })
  expect(checkStates(tree, new Set([8]))).toEqual({ checked: [8], half: [7] })
})

test('checking an entry brings all below it and every parent', () => {
  expect(sorted(toggleMenu(tree, tree, new Set(), 4, true))).toEqual([2, 4, 5, 6])
  expect(sorted(toggleMenu(tree, tree, new Set([7]), 5, true))).toEqual([2, 4, 5, 7])
})

test('unchecking one of two children keeps the parents', () => {
  expect(sorted(toggleMenu(tree, tree, new Set([2, 4, 5, 6]), 6, false))).toEqual([2, 4, 5])
})

test('a group goes with its last entry, all the way up; a page above stays', () => {
  expect(sorted(toggleMenu(tree, tree, new Set([2, 4, 5]), 5, false))).toEqual([])
  expect(sorted(toggleMenu(tree, tree, new Set([7, 8]), 8, false))).toEqual([7])
})

test('unchecking a parent takes all below it', () => {
  expect(sorted(toggleMenu(tree, tree, new Set([2, 3, 4, 5, 6, 7]), 2, false))).toEqual([7])
})

test('a search keeps the way to each match and the children of a match', () => {
  expect(flatMenus(searchMenus(tree, '登录')).map((one) => one.id)).toEqual([2, 4, 5])
  expect(flatMenus(searchMenus(tree, '日志')).map((one) => one.id)).toEqual([2, 4, 5, 6])
  expect(searchMenus(tree, '没有')).toEqual([])
})

test('a click in a searched tree leaves hidden entries and their parents alone', () => {
  const shown = searchMenus(tree, '登录')
  expect(sorted(toggleMenu(tree, shown, new Set([2, 3, 4, 5, 6]), 2, false))).toEqual([2, 3, 4, 6])
  expect(sorted(toggleMenu(tree, shown, new Set(), 2, true))).toEqual([2, 4, 5])
})

test('全选 and 清空 work on what is shown', () => {
  expect(sorted(toggleShown(tree, tree, new Set(), true))).toEqual([2, 3, 4, 5, 6, 7, 8])
  expect(sorted(toggleShown(tree, searchMenus(tree, '设备'), new Set([2, 3, 7, 8]), false))).toEqual([2, 3])
})
