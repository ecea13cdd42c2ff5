/** The whole life of users, roles, menus and APIs through the screens, with the guards on the way (screens.md 12 to 15). */
import { createUser, EnabledStatus, listUsers, updateUserStatus } from '@ithings/contract/features/users.ts'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { act, choose, confirmWith, dialog, moreAction, row, search, submit, told } from '#screens.ts'
import { accountMenu, administrator, firstScreen, knownAdmin, signInAt, signInButton, signInHere } from '#sign-in.ts'
import { addressOf, answered, goToScreen, openPage, soon } from '#visit.ts'

let platform: Platform
let browser: Browser

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
})
afterAll(async () => {
  if (platform) await discard(platform)
})

async function openAt(path: string): Promise<Page> {
  const page = await openPage(browser, platform, { allowErrors: [answered(400, 401)] })
  await signInAt(page, platform, path)
  return page
}

/** Two people edit the same thing: the second is told (900001), reads again and saves; nobody's words are lost. */
async function editTwice(page: Page, name: string, title: RegExp, change: (form: Locator) => Promise<void>) {
  const other = await page.context().newPage()
  await other.goto(page.url())
  await act(other, name, '编辑')
  await act(page, name, '编辑')
  const [mine, theirs] = [dialog(page, title), dialog(other, title)]
  await theirs.waitFor()
  await change(mine)
  await submit(mine)
  await told(page, '更新成功')

  await change(theirs)
  await submit(theirs)
  await theirs.getByText('数据已被他人修改').waitFor()
  await theirs.getByRole('button', { name: '刷新' }).click()
  await theirs.getByText('已载入最新内容').waitFor()
  await submit(theirs)
  await told(other, '更新成功')
  await other.close()
}

test('a user is created, edited by two, given a new password, disabled, enabled and deleted', async () => {
  const page = await openAt('/systemMangers/user/index')
  await page.getByRole('button', { name: '新增用户' }).click()
  const form = dialog(page, '新增用户')
  await form.getByLabel('用户名').fill('abc')
  await form.getByLabel(/^密码/).fill('short')
  await submit(form, '创建')
  // Every field that is wrong is named before anything is sent.
  await form.getByText('处待修正').waitFor()
  await form.getByLabel('用户名').fill('zhang_wei')
  await form.getByLabel(/^密码/).fill('Zhang-wei-1')
  await form.getByLabel('确认密码').fill('Zhang-wei-1')
  await choose(page, form.getByLabel('用户角色'), 'user')
  await submit(form, '创建')
  await told(page, '创建成功')
  await row(page, 'zhang_wei').waitFor()

  let nickName = '张伟'
  await editTwice(page, 'zhang_wei', /^编辑用户/, async (edit) => {
    await edit.getByLabel('昵称').fill(nickName)
    nickName = '张大伟'
  })
  await page.getByRole('button', { name: '刷新' }).click()
  await row(page, '张大伟').waitFor()

  const person = await openPage(browser, platform, { allowErrors: [answered(400, 401)] })
  await signInAt(person, platform, '/account/index', { account: 'zhang_wei', password: 'Zhang-wei-1' })
  await act(page, 'zhang_wei', '重置密码')
  const reset = dialog(page, /重置「.*」的密码？/)
  await submit(reset, '重置密码')
  const shown = dialog(page, '密码已重置')
  const password = (await shown.locator('.mono').textContent()) ?? ''
  expect(password).toHaveLength(14)
  await submit(shown, '我已保存，关闭')
  // The person's session ended with the reset.
  await person.reload()
  await signInHere(person, { account: 'zhang_wei', password })

  await act(page, 'zhang_wei', '禁用')
  await confirmWith(page, /禁用用户/, '禁用')
  await told(page, '禁用成功')
  await person.reload()
  await signInButton(person).waitFor()
  await act(page, 'zhang_wei', '启用')
  await confirmWith(page, /启用用户/, '启用')
  await told(page, '启用成功')
  await signInHere(person, { account: 'zhang_wei', password })

  await act(page, 'zhang_wei', '删除')
  await confirmWith(page, /删除用户/, '删除')
  await told(page, '删除成功')
  await row(page, 'zhang_wei').waitFor({ state: 'detached' })
  await person.reload()
  await signInButton(person).waitFor()
})

test('one cannot delete, disable or reset oneself', async () => {
  const page = await openAt('/systemMangers/user/index')
  for (const label of ['禁用', '删除']) {
    const entry = await moreAction(page, administrator.account, label)
    expect(await entry.getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('Escape')
    await entry.waitFor({ state: 'hidden' })
  }
  const reset = row(page, administrator.account).getByRole('button', { name: '重置密码' })
  expect(await reset.isDisabled()).toBe(true)
  expect(
    await page
      .getByRole('row', { name: /administrator/ })
      .getByRole('checkbox')
      .isDisabled(),
  ).toBe(true)
})

test('two chosen users: one is disabled, the other was already and is named', async () => {
  const call = await makeCaller(platform, administrator)
  const names = ['zhangwei', 'liufang']
  for (const userName of names) await call(createUser, { userName, password: 'Walk-2026x', role: 3 })
  const users = async () => (await call(listUsers, { page: { page: 1, size: 50 } })).list
  const away = (await users()).find(({ userName }) => userName === 'liufang')
  await call(updateUserStatus, { userID: away?.userID ?? '', status: EnabledStatus.disabled })

  const page = await openAt('/systemMangers/user/index')
  for (const name of names) await row(page, name).getByRole('checkbox').check()
  await page.getByRole('button', { name: /禁用$/ }).first().click()
  const modal = dialog(page, '禁用 1 个用户？')
  await modal.getByText('已是禁用状态').waitFor()
  await modal.getByRole('button', { name: '禁用' }).click()
  await dialog(page, '已禁用 1 个用户').getByText('成功').waitFor()
  const states = (await users()).filter(({ userName }) => names.includes(userName)).map(({ status }) => status)
  expect(states).toEqual([EnabledStatus.disabled, EnabledStatus.disabled])
  await page.getByRole('button', { name: '关闭' }).last().click()
  await soon(() => dialog(page, '已禁用 1 个用户').count()).toBe(0)
})

test('a role is created, edited by two, kept while it has members, and deleted', async () => {
  const page = await openAt('/systemMangers/role/index')
  await page.getByRole('button', { name: '新增角色' }).click()
  const form = dialog(page, '新增角色')
  await form.getByLabel('角色名称').fill('巡检员')
  await submit(form, '创建')
  await told(page, '创建成功')
  let remark = '每天巡检'
  await editTwice(page, '巡检员', /^编辑角色/, async (edit) => {
    await edit.getByLabel('备注').fill(remark)
    remark = '每周巡检'
  })
  await page.getByRole('button', { name: '刷新' }).click()
  await row(page, '每周巡检').waitFor()

  const builtIn = await moreAction(page, '供应商', '删除')
  expect(await builtIn.getAttribute('aria-disabled')).toBe('true')
  await page.keyboard.press('Escape')

  await goToScreen(page, platform, '/systemMangers/user/index', '用户管理')
  await page.getByRole('button', { name: '新增用户' }).click()
  const user = dialog(page, '新增用户')
  await user.getByLabel('用户名').fill('member_one')
  await user.getByLabel(/^密码/).fill('Member-one-1')
  await user.getByLabel('确认密码').fill('Member-one-1')
  await choose(page, user.getByLabel('用户角色'), '巡检员')
  await submit(user, '创建')
  await told(page, '创建成功')
  // Loaded anew: what the list said before somebody joined or left must not be clicked.
  await page.goto(addressOf(platform, '/systemMangers/role/index'))
  await act(page, '巡检员', '删除')
  await confirmWith(page, '还有 1 名成员在使用它', '查看成员')
  await page.getByRole('tab', { name: '成员 1' }).waitFor()
  await page.getByText('member_one').first().waitFor()

  await goToScreen(page, platform, '/systemMangers/user/index?userName=member_one', '用户管理')
  await act(page, 'member_one', '编辑')
  const edit = dialog(page, /^编辑用户/)
  await choose(page, edit.getByLabel('用户角色'), 'user')
  await submit(edit)
  await told(page, '更新成功')
  await page.goto(addressOf(platform, '/systemMangers/role/index'))
  await act(page, '巡检员', '删除')
  await confirmWith(page, '删除角色「巡检员」？', '删除')
  await told(page, '删除成功')
  await row(page, '巡检员').waitFor({ state: 'detached' })
})

test('a menu is created, appears at once, is edited by two and deleted from the leaves up', async () => {
  const page = await openAt('/systemMangers/menu/index')
  const sider = page.getByRole('navigation', { name: '主菜单' })
  await page.getByRole('button', { name: '新增根菜单' }).click()
  const form = dialog(page, '新增根菜单')
  await form.getByLabel('菜单名称').fill('常用')
  await submit(form)
  await told(page, '创建成功')
  await act(page, '常用', '新增子菜单')
  const child = dialog(page, '新增子菜单')
  await child.getByLabel('菜单名称').fill('我的资料')
  // Taken paths are refused with their owner's name.
  await child.getByLabel('路由地址').fill('/systemMangers/user/index')
  await child.getByLabel('文件路径').fill('./account/index')
  await submit(child)
  await child.getByText('已被菜单「用户管理」使用').waitFor()
  await child.getByLabel('路由地址').fill('/account/index')
  await submit(child)
  await told(page, '创建成功')

  // The menu of the signed-in person follows without a reload.
  await sider.getByText('常用').click()
  await sider.getByRole('link', { name: '我的资料' }).waitFor()

  const blocked = await moreAction(page, '常用', '删除')
  expect(await blocked.getAttribute('aria-disabled')).toBe('true')
  await page.keyboard.press('Escape')
  let name = '我的主页'
  await editTwice(page, '我的', /^编辑菜单/, async (edit) => {
    await edit.getByLabel('菜单名称').fill(name)
    name = '我的空间'
  })
  await page.getByRole('button', { name: '刷新' }).click()
  await row(page, '我的空间').waitFor()

  for (const gone of ['我的空间', '常用']) {
    await act(page, gone, '删除')
    await confirmWith(page, `删除菜单「${gone}」？`, '删除')
    await row(page, gone).waitFor({ state: 'detached' })
  }
  await sider.getByText('常用').waitFor({ state: 'detached' })
})

test('an API is registered, edited by two and deleted; what the platform brought along stays', async () => {
  const page = await openAt('/systemMangers/api/index')
  await page.getByRole('button', { name: '新增接口' }).click()
  const form = dialog(page, '新增接口')
  await form.getByLabel('接口路由').fill(listUsers.path)
  await form.getByLabel('接口分组').fill('外部系统')
  await form.getByLabel('接口名称').fill('工单回调')
  await form.getByText('其它', { exact: true }).click()
  await submit(form)
  await form.getByText('已登记为「用户列表」').waitFor()
  await form.getByLabel('接口路由').fill('/api/v1/outside/ticket')
  await submit(form)
  await told(page, '创建成功')

  await search(page, '接口名称', '工单')
  await row(page, '工单回调').waitFor()
  let name = '工单通知'
  await editTwice(page, '/api/v1/outside/ticket', /^编辑接口/, async (edit) => {
    await edit.getByLabel('接口名称').fill(name)
    name = '工单推送'
  })
  await page.getByRole('button', { name: '刷新' }).click()
  await act(page, '工单推送', '删除')
  await confirmWith(page, '删除接口「工单推送」？', '删除')
  await told(page, '删除成功')

  await search(page, '接口名称', '用户列表')
  await row(page, '用户列表').waitFor()
  expect(
    await row(page, '用户列表')
      .getByRole('button', { name: /编辑|删除/ })
      .count(),
  ).toBe(0)
})

test('changing the own password needs the old one and leads to login', async () => {
  const page = await openAt('/account/index')
  const password = 'Walk-through-2'
  await accountMenu(page).click()
  await page.getByRole('menuitem', { name: '修改密码' }).click()
  const form = dialog(page, '修改密码')
  await form.getByLabel('原密码').fill('not the old one')
  await form.getByLabel(/^新密码/).fill(password)
  await form.getByLabel('确认新密码').fill(password)
  await submit(form)
  await form
    .getByText(/密码错误|原密码/)
    .last()
    .waitFor()
  await form.getByLabel('原密码').fill(administrator.password)
  await submit(form)
  await signInButton(page).waitFor()
  await signInHere(page, { ...administrator, password })
  await soon(() => page.url()).toContain(firstScreen)
})
