import type { Menu } from '@ithings/contract/features/menus.ts'
import { describe, expect, test } from 'vitest'
import { iconNameOf } from '#blocks/menu-icon.tsx'
import {
  buildMenuTree,
  landingPath,
  type MenuNode,
  menuScreens,
  permittedPaths,
  readableEntries,
  trailTo,
  visibleNodes,
} from './menu-tree.ts'

const entry = (id: number, parentID: number, path: string, more: Partial<Menu> = {}): Menu => ({
  id,
  parentID,
  path,
  name: `菜单${id}`,
  type: 1,
  component: './page/index',
  icon: 'icon_system',
  redirect: '',
  order: id,
  createTime: 0,
  hideInMenu: 2,
  rev: 0,
  ...more,
})

const admin = { role: 1 }
const names = (tree: MenuNode[]): unknown[] =>
  tree.map((node) => (node.children.length > 0 ? [node.name, names(node.children)] : node.name))
const everything = () => true

describe('the menu from server data (spec 2)', () => {
  test('entries are sorted by order and nested by parentID below root 1', () => {
    const tree = buildMenuTree(
      [
        entry(4, 2, '/a/y', { order: 2 }),
        entry(2, 1, '/a', { order: 9 }),
        entry(3, 2, '/a/x', { order: 1 }),
        entry(5, 1, '/b', { order: 1 }),
      ],
      admin,
    )
    expect(names(tree)).toEqual(['菜单5', ['菜单2', ['菜单3', '菜单4']]])
  })

  test('hideInMenu 1 hides an entry with its children but keeps its path permitted', () => {
    const tree = buildMenuTree([entry(2, 1, '/a'), entry(3, 1, '/a/detail/:id', { hideInMenu: 1 })], admin)
    expect(names(visibleNodes(tree, everything))).toEqual(['菜单2'])
    expect(permittedPaths(tree)).toEqual(new Set(['/a', '/a/detail/:id']))
  })

  test('a group without anything to show is not drawn', () => {
    const rows = [
      entry(2, 1, '/group', { component: '' }),
      entry(3, 2, '/group/x', { hideInMenu: 1 }),
      entry(4, 1, '/empty', { component: '' }),
    ]
    expect(visibleNodes(buildMenuTree(rows, admin), () => false)).toEqual([])
  })

  test('an entry without a screen is still drawn, so that its maker sees it', () => {
    expect(names(visibleNodes(buildMenuTree([entry(2, 1, '/made/by/hand')], admin), () => false))).toEqual(['菜单2'])
  })

  test('only admins see /systemMangers (spec 6)', () => {
    const rows = [
      entry(2, 1, '/systemMangers', { component: '' }),
      entry(3, 2, '/systemMangers/user/index'),
      entry(4, 1, '/home'),
    ]
    expect(names(buildMenuTree(rows, { role: 2 }))).toEqual(['菜单4'])
    expect(names(buildMenuTree(rows, admin))).toEqual([['菜单2', ['菜单3']], '菜单4'])
  })

  test('an entry whose parent is missing moves to the top, buttons are no entries', () => {
    expect(names(buildMenuTree([entry(7, 99, '/x'), entry(8, 7, '', { type: 3 })], admin))).toEqual(['菜单7'])
  })

  test('entries that name each other as parents do not hang the page', () => {
    const rows = [entry(2, 3, '/a'), entry(3, 2, '/b'), entry(4, 1, '/c')]
    expect(names(buildMenuTree(rows, admin))).toEqual(['菜单4'])
  })

  test('an unknown icon falls back to a drawn one', () => {
    expect(iconNameOf('icon_heat')).toBe('icon_heat')
    expect(iconNameOf('icon_from_elsewhere')).toBe('icon_data_01')
  })
})

test('the trail leads from the top to the entry', () => {
  const tree = buildMenuTree([entry(2, 1, '/a', { component: '' }), entry(3, 2, '/a/x')], admin)
  expect(trailTo(tree, '/a/x').map((node) => node.id)).toEqual([2, 3])
  expect(trailTo(tree, '/elsewhere')).toEqual([])
})

describe('where / leads (spec 2, decisions.md 2)', () => {
  const products = '/deviceMangers/product/index'
  const land = (rows: Menu[], hasScreen: (path: string) => boolean) => {
    const tree = buildMenuTree(rows, admin)
    return landingPath(visibleNodes(tree, hasScreen), permittedPaths(tree), hasScreen, products)
  }

  test('to the product list when the user has it and it exists', () => {
    expect(land([entry(2, 1, '/first'), entry(3, 1, products)], everything)).toBe(products)
  })

  test('else to the first entry that has a screen', () => {
    const rows = [
      entry(2, 1, '/g', { component: '' }),
      entry(3, 2, '/g/none'),
      entry(4, 2, '/g/some'),
      entry(5, 1, products),
    ]
    expect(land(rows, (path) => path === '/g/some')).toBe('/g/some')
  })

  test('nowhere when there is no usable entry', () => {
    expect(land([entry(2, 1, '/none')], () => false)).toBeUndefined()
  })
})

test('screens for the search are the entries that lead somewhere, with the groups above them', () => {
  const tree = buildMenuTree([entry(2, 1, '/a'), entry(3, 2, '/a/x'), entry(4, 1, '/b'), entry(5, 1, '/gone')], admin)
  expect(menuScreens(tree, (path) => path === '/a/x' || path === '/b')).toEqual([
    { name: '菜单3', path: '/a/x', group: '菜单2' },
    { name: '菜单4', path: '/b', group: '' },
  ])
})

test('an entry whose list the role may not read is not offered, nor the details of it', () => {
  const screens = [
    { path: '/a/index', reads: '/api/a' },
    { path: '/a/detail', parent: '/a/index' },
    { path: '/b/index', reads: '/api/b' },
    { path: '/c/index' },
  ]
  const entries = ['/a/index', '/a/detail', '/b/index', '/c/index', '/by/hand'].map((path) => ({ path }))
  const open = (withheld: string[]) => readableEntries(entries, screens, withheld).map(({ path }) => path)
  expect(open(['/api/a', '/api/other'])).toEqual(['/b/index', '/c/index', '/by/hand'])
  expect(open([])).toEqual(entries.map(({ path }) => path))
})
