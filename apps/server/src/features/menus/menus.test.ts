import { createMenu, deleteMenu, listMenus, type Menu, MenuType, updateMenu } from '@ithings/contract/features/menus.ts'
import { updateRoleMenus } from '@ithings/contract/features/roles.ts'
import { readResources } from '@ithings/contract/features/users.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeRole, makeSignedIn, uniqueText } from '#testing/people.ts'
import { openWorld, type World } from '#testing/world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

const asAdmin = () => ({ token: world.admin })
const path = () => uniqueText('/testMenu')

async function findMenu(id: number): Promise<Menu> {
  const { list } = await world.asAdmin(listMenus)
  const menu = list.find((row) => row.id === id)
  if (!menu) throw new Error(`menu ${id} is not listed`)
  return menu
}

async function makeMenu(fields: Partial<Parameters<typeof world.asAdmin<typeof createMenu>>[1]> = {}): Promise<Menu> {
  const { id } = await world.asAdmin(createMenu, { name: uniqueText('菜单'), ...fields })
  return findMenu(id)
}

const edit = ({ id, name, parentID, order }: Menu) => ({ id, name, parentID, order })

test('pages are named by their files as consoles of the public platform have them, hidden ones too', async () => {
  const { list } = await world.asAdmin(listMenus)
  const pages = new Map(list.filter(({ type }) => type === MenuType.page).map((one) => [one.path, one]))
  for (const { component } of pages.values()) expect(component).toMatch(/^(\.\/[A-Za-z]+)(\/[A-Za-z]+)*\/index$/)
  expect(pages.get('/systemMangers/user/index')).toMatchObject({
    component: './systemMangers/user/index',
    hideInMenu: 2,
  })
  expect(pages.get('/deviceMangers/device/detail/:id/:name/:type')?.component).toBe(
    './deviceMangers/device/detail/index',
  )
  expect(pages.get('/alarmMangers/alarmConfiguration/log')?.component).toBe('./alarmMangers/alarmRecord/index')
  for (const hidden of [
    '/alarmMangers/alarmConfiguration/save',
    '/alarmMangers/alarmConfiguration/log/detail/:id/:level',
    '/ruleEngine/scene/detail',
  ]) {
    expect(pages.get(hidden)).toMatchObject({ hideInMenu: 1 })
  }
})

describe('create', () => {
  test('an entry with nothing but a name is a visible top-level directory of order 1', async () => {
    const name = uniqueText('目录')
    const { id } = await world.asAdmin(createMenu, { name })
    expect(await findMenu(id)).toEqual({
      id,
      name,
      parentID: 1,
      type: MenuType.directory,
      path: '',
      component: '',
      icon: '',
      redirect: '',
      order: 1,
      createTime: expect.any(Number),
      hideInMenu: 2,
      rev: 1,
    })
  })

  test('an entry with a path is a page unless its type says otherwise', async () => {
    expect(await makeMenu({ path: path() })).toMatchObject({ type: MenuType.page })
    expect(await makeMenu({ path: path(), type: 1 })).toMatchObject({ type: MenuType.directory })
    expect(await makeMenu({ type: 3 })).toMatchObject({ type: MenuType.button })
  })

  test('all fields are stored; digit text, 0, null and unknown keys are taken as the public console sends them', async () => {
    const at = path()
    const sent = await world.call(
      createMenu,
      {
        name: ' 子页 ',
        parentID: '2',
        type: '2',
        path: at,
        component: './pages/x',
        icon: 'icon_heat',
        redirect: null,
        order: '7',
        hideInMenu: '1',
        keyword: 'x',
      },
      asAdmin(),
    )
    expect(sent.code).toBe(200)
    expect(await findMenu(sent.data.id)).toMatchObject({
      name: '子页',
      parentID: 2,
      type: 2,
      path: at,
      component: './pages/x',
      icon: 'icon_heat',
      redirect: '',
      order: 7,
      hideInMenu: 1,
    })
    const zeros = await world.call(createMenu, { name: '零', parentID: 0, type: 0, hideInMenu: 0 }, asAdmin())
    expect(await findMenu(zeros.data.id)).toMatchObject({ parentID: 1, type: 1, hideInMenu: 2 })
  })

  test('an unknown parent is refused with 100006 that names it', async () => {
    const refused = await world.call(createMenu, { name: 'x', parentID: 987_654 }, asAdmin())
    expect(refused).toMatchObject({ status: 400, code: 100006, msg: '参数错误:父菜单 987654 不存在' })
    expect(refused.body.field).toBe('parentID')
  })

  test('a button holds no other entries', async () => {
    const button = await makeMenu({ type: 3 })
    const refused = await world.call(createMenu, { name: 'x', parentID: button.id }, asAdmin())
    expect(refused).toMatchObject({ status: 400, code: 100006 })
    expect(refused.msg).toContain('下不能再有菜单')
  })

  test('the path of another page is refused with 100010, of a directory it is allowed', async () => {
    const page = await makeMenu({ path: path() })
    const refused = await world.call(createMenu, { name: 'x', path: page.path }, asAdmin())
    expect(refused).toMatchObject({
      status: 400,
      code: 100010,
      msg: `路由 ${page.path} 已被菜单「${page.name}」使用`,
    })
    const directory = await makeMenu({ type: 1, path: path() })
    await makeMenu({ type: 2, path: directory.path })
  })

  test.each([
    {},
    { name: '' },
    { name: '名'.repeat(33) },
    { name: 'x', path: 'home' },
    { name: 'x', path: '/a b' },
    { name: 'x', type: 4 },
    { name: 'x', hideInMenu: 3 },
    { name: 'x', order: -1 },
    { name: 'x', order: 'first' },
  ])('the body %j is refused with 100006', async (body) => {
    expect(await world.call(createMenu, body, asAdmin())).toMatchObject({ status: 400, code: 100006 })
  })
})

describe('update', () => {
  test('fields that are not sent, type 0 and hideInMenu 0 keep their value', async () => {
    const menu = await makeMenu({ path: path(), component: 'c', icon: 'icon_ap', redirect: '/r', hideInMenu: 1 })
    await world.asAdmin(updateMenu, { id: menu.id, name: '改名', parentID: 0, order: 9, type: 0, hideInMenu: 0 })
    expect(await findMenu(menu.id)).toEqual({ ...menu, name: '改名', order: 9, rev: 2 })
  })

  test('every field can be changed and emptied', async () => {
    const menu = await makeMenu({ path: path(), component: 'c', icon: 'icon_ap', redirect: '/r' })
    const change = { type: 1, path: '', component: '', icon: '', redirect: '', hideInMenu: 1 } as const
    await world.asAdmin(updateMenu, { ...edit(menu), parentID: 2, ...change })
    expect(await findMenu(menu.id)).toEqual({ ...menu, parentID: 2, ...change, rev: 2 })
  })

  test('name, parent and order are required as on the public platform', async () => {
    const menu = await makeMenu()
    for (const field of ['name', 'parentID', 'order'] as const) {
      const refused = await world.call(updateMenu, { ...edit(menu), [field]: undefined }, asAdmin())
      expect(refused).toMatchObject({ status: 400, code: 100006, msg: `参数错误:${field} 不能为空` })
    }
  })

  test('an entry cannot become its own parent or the child of a descendant', async () => {
    const top = await makeMenu()
    const middle = await makeMenu({ parentID: top.id })
    const bottom = await makeMenu({ parentID: middle.id })
    const self = await world.call(updateMenu, { ...edit(top), parentID: top.id }, asAdmin())
    expect(self).toMatchObject({ status: 400, code: 100006, msg: `参数错误:菜单「${top.name}」不能作为自己的父菜单` })
    for (const { id } of [middle, bottom]) {
      const cycle = await world.call(updateMenu, { ...edit(top), parentID: id }, asAdmin())
      expect(cycle).toMatchObject({
        status: 400,
        code: 100006,
        msg: `参数错误:不能把菜单「${top.name}」移到它自己的下级`,
      })
    }
    await world.asAdmin(updateMenu, { ...edit(bottom), parentID: top.id })
    expect(await findMenu(bottom.id)).toMatchObject({ parentID: top.id })
  })

  test('two moves at the same moment cannot close a cycle together', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await makeMenu(), await makeMenu()]
      const moves = await Promise.all([
        world.call(updateMenu, { ...edit(a), parentID: b.id }, asAdmin()),
        world.call(updateMenu, { ...edit(b), parentID: a.id }, asAdmin()),
      ])
      expect(moves.map((move) => move.code).toSorted()).toEqual([100006, 200])
    }
  })

  test('an unknown parent, a taken path and an unknown entry are refused', async () => {
    const page = await makeMenu({ path: path() })
    const other = await makeMenu({ path: path() })
    const parent = await world.call(updateMenu, { ...edit(page), parentID: 987_654 }, asAdmin())
    expect(parent).toMatchObject({ status: 400, code: 100006, msg: '参数错误:父菜单 987654 不存在' })
    const taken = await world.call(updateMenu, { ...edit(page), path: other.path }, asAdmin())
    expect(taken).toMatchObject({ status: 400, code: 100010 })
    await world.asAdmin(updateMenu, { ...edit(page), path: page.path })
    for (const id of [1, 987_654]) {
      const unknown = await world.call(updateMenu, { ...edit(page), id }, asAdmin())
      expect(unknown).toMatchObject({ status: 400, code: 100009, msg: `未查询到:菜单 ${id} 不存在` })
    }
  })

  test('an entry with children cannot become a button', async () => {
    const parent = await makeMenu()
    await makeMenu({ parentID: parent.id })
    const refused = await world.call(updateMenu, { ...edit(parent), type: 3 }, asAdmin())
    expect(refused).toMatchObject({ status: 400, code: 100006 })
    expect(refused.msg).toContain('还有下级，不能改为按钮')
  })

  test('an edit that names an old rev is refused with 900001', async () => {
    const menu = await makeMenu()
    await world.asAdmin(updateMenu, { ...edit(menu), order: 2, rev: menu.rev })
    const late = await world.call(updateMenu, { ...edit(menu), order: 3, rev: menu.rev }, asAdmin())
    expect(late).toMatchObject({ status: 400, code: 900001 })
    expect(await findMenu(menu.id)).toMatchObject({ order: 2, rev: 2 })
  })
})

describe('delete', () => {
  test('an entry with children is refused with 100019 that tells how many, without children it goes', async () => {
    const parent = await makeMenu()
    const child = await makeMenu({ parentID: parent.id })
    const refused = await world.call(deleteMenu, { id: parent.id }, asAdmin())
    expect(refused).toMatchObject({
      status: 400,
      code: 100019,
      msg: `不为空:菜单「${parent.name}」还有 1 个下级，请先删除它们`,
    })
    await world.asAdmin(deleteMenu, { id: child.id })
    await world.asAdmin(deleteMenu, { id: parent.id })
    const gone = await world.call(deleteMenu, { id: parent.id }, asAdmin())
    expect(gone).toMatchObject({ status: 400, code: 100009 })
  })

  test('roles lose the entry with it', async () => {
    const role = await makeRole(world)
    const menu = await makeMenu({ path: path() })
    await world.asAdmin(updateRoleMenus, { id: role, menuID: [menu.id] })
    const person = await makeSignedIn(world, { role })
    expect((await world.call(readResources, {}, person)).data.menu.map((row) => row.id)).toEqual([menu.id])
    await world.asAdmin(deleteMenu, { id: menu.id })
    expect((await world.call(readResources, {}, person)).data.menu).toEqual([])
  })
})

describe('list', () => {
  test('the list is flat, without the root, sorted by order and then by id', async () => {
    const { list } = await world.asAdmin(listMenus)
    expect(list.map((row) => row.id)).not.toContain(1)
    const sorted = list.toSorted((a, b) => a.order - b.order || a.id - b.id)
    expect(list.map((row) => row.id)).toEqual(sorted.map((row) => row.id))
  })

  test('the screens of this version are seeded below 系统管理', async () => {
    const { list } = await world.asAdmin(listMenus, { path: '/systemMangers' })
    const paths = list.filter((row) => row.type === MenuType.page).map((row) => row.path)
    expect(paths).toEqual(
      expect.arrayContaining([
        '/systemMangers/user/index',
        '/systemMangers/role/index',
        '/systemMangers/menu/index',
        '/systemMangers/api/index',
        '/systemMangers/log/loginLog/index',
        '/systemMangers/log/operationLog/index',
        '/systemMangers/setting/index',
        '/systemMangers/cluster/index',
      ]),
    )
  })

  test('a match deep in the tree comes with its ancestors and without its siblings', async () => {
    const byName = await world.asAdmin(listMenus, { name: '登录日志' })
    expect(byName.list.map((row) => row.name).toSorted()).toEqual(['日志管理', '登录日志', '系统管理'].toSorted())
    const byPath = await world.asAdmin(listMenus, { path: 'LOGINLOG' })
    expect(byPath.list.map((row) => row.id).toSorted()).toEqual([2, 7, 8])
    const both = await world.asAdmin(listMenus, { name: '操作', path: 'loginLog' })
    expect(both.list).toEqual([])
  })

  test('empty filters, null and the page of the public console are ignored', async () => {
    const all = await world.asAdmin(listMenus)
    const { data } = await world.call(listMenus, { name: ' ', path: null, page: { page: 1, size: 1 } }, asAdmin())
    expect(data.list).toEqual(all.list)
  })
})
