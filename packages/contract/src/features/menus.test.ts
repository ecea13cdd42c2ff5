import { expect, test } from 'vitest'
import {
  createMenuBody,
  defaultMenuIcon,
  HideInMenu,
  hideInMenuLabels,
  MenuType,
  menu,
  menuIcons,
  menuTypeLabels,
  updateMenuBody,
} from './menus.ts'

test('spec 2: there are thirteen menu icons', () => {
  expect(menuIcons).toEqual([
    'icon_system',
    'icon_ithings',
    'icon_cloud_monitor',
    'icon_dosing',
    'icon_device',
    'icon_feedwater',
    'icon_ecosystem',
    'icon_sewage',
    'icon_electric',
    'icon_heat',
    'icon_ap',
    'icon_hvac',
    'icon_data_01',
  ])
  expect(menuIcons).toHaveLength(13)
  expect(menuIcons).toContain(defaultMenuIcon)
})

test('spec 2: a hideInMenu value of 1 hides the entry', () => {
  expect(HideInMenu).toEqual({ hide: 1, show: 2 })
  expect(hideInMenuLabels).toEqual({ 1: '是', 2: '否' })
})

test('spec 3: a menu entry has order, parentID, icon and hideInMenu', () => {
  expect(Object.keys(menu.shape)).toEqual(expect.arrayContaining(['order', 'parentID', 'icon', 'hideInMenu']))
})

test('a menu entry is a directory, a page or a button', () => {
  expect(MenuType).toEqual({ directory: 1, page: 2, button: 3 })
  expect(menuTypeLabels).toEqual({ 1: '目录', 2: '菜单', 3: '按钮' })
})

test.each(['/home', '/deviceMangers/product/detail/:id', '/', ''])('%j is a path of the console', (path) => {
  expect(createMenuBody.safeParse({ name: '菜单', path }).success).toBe(true)
})

test.each(['home', 'http://example.com/', '/a b', '/a?b=1', '/a#b', `/${'a'.repeat(256)}`])(
  '%s is no path of the console',
  (path) => {
    expect(createMenuBody.safeParse({ name: '菜单', path }).success).toBe(false)
  },
)

test('a menu needs a name of at most 32 characters and an order of at least 0', () => {
  expect(createMenuBody.safeParse({ name: ' ' }).success).toBe(false)
  expect(createMenuBody.safeParse({ name: '菜'.repeat(33) }).success).toBe(false)
  expect(createMenuBody.safeParse({ name: '菜单', order: -1 }).success).toBe(false)
  expect(createMenuBody.parse({ name: '菜单', order: '3', hideInMenu: '2' })).toEqual({
    name: '菜单',
    order: 3,
    hideInMenu: 2,
  })
})

test('an update names the entry, its parent and its order', () => {
  const sent = { id: 5, name: '菜单', parentID: 1, order: 1 }
  expect(updateMenuBody.parse(sent)).toEqual(sent)
  for (const key of Object.keys(sent)) {
    expect(updateMenuBody.safeParse({ ...sent, [key]: undefined }).success).toBe(false)
  }
})
