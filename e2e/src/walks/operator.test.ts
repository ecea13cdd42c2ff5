/** An operator sees and calls only what the role was given, and is refused in place (spec 6; decisions.md 2). */
import { listRoles } from '@ithings/contract/features/roles.ts'
import { createUser, listUsers, updateSelf, updateUser } from '@ithings/contract/features/users.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCaller, send } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { act, choose, confirmWith, dialog, row, submit, told } from '#screens.ts'
import { accountMenu, administrator, knownAdmin, signInAt, signInHere } from '#sign-in.ts'
import { addressOf, answered, goToScreen, openPage, soon } from '#visit.ts'

const operator = { account: 'operator_li', password: 'Operator-123' }
const entry = '值班台'

let platform: Platform
let browser: Browser

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
})
afterAll(async () => {
  if (platform) await discard(platform)
})

const token = (page: Page) => page.evaluate(() => localStorage.getItem('iThings-token') ?? '')

async function createEntry(page: Page) {
  await signInAt(page, platform, '/systemMangers/menu/index')
  await page.getByRole('button', { name: '新增根菜单' }).click()
  const form = dialog(page, '新增根菜单')
  await form.getByText('菜单', { exact: true }).click()
  await form.getByLabel('菜单名称').fill(entry)
  await form.getByLabel('路由地址').fill('/account/index')
  await form.getByLabel('文件路径').fill('./account/index')
  await submit(form)
  await told(page, '创建成功')
  await row(page, entry).waitFor()
}

async function createOperatorRole(page: Page) {
  await goToScreen(page, platform, '/systemMangers/role/index', /^角色管理/)
  await page.getByRole('button', { name: '新增角色' }).click()
  const form = dialog(page, '新增角色')
  await form.getByLabel('角色名称').fill('值班员')
  await submit(form, '创建')
  await told(page, '创建成功')
  await act(page, '值班员', '设置权限')
  await page.getByRole('heading', { name: /值班员/ }).waitFor()

  const menus = page.getByRole('region', { name: '菜单' })
  await menus.locator('.ant-tree-treenode').filter({ hasText: entry }).locator('.ant-tree-checkbox').click()
  const apis = page.getByRole('region', { name: '接口' })
  await apis.getByLabel('搜索接口名称、路径或分组').fill(listUsers.path)
  await apis.locator('.ant-tree-treenode').filter({ hasText: '用户列表' }).locator('.ant-tree-checkbox').click()
  await page.getByRole('status').filter({ hasText: '新增 2 / 移除 0' }).waitFor()
  await page.getByRole('button', { name: '保存', exact: true }).click()
  const review = dialog(page, '保存「值班员」的权限')
  await review.getByText(entry).waitFor()
  await review.getByText('用户列表').first().waitFor()
  await submit(review, '确认保存')
  await told(page, '更新成功')
}

async function createOperator(page: Page) {
  await goToScreen(page, platform, '/systemMangers/user/index', /^用户管理/)
  await page.getByRole('button', { name: '新增用户' }).click()
  const form = dialog(page, '新增用户')
  await form.getByLabel('用户名').fill(operator.account)
  await form.getByLabel(/^密码/).fill(operator.password)
  await form.getByLabel('确认密码').fill(operator.password)
  await choose(page, form.getByLabel('用户角色'), '值班员')
  await submit(form, '创建')
  await told(page, '创建成功')
  await row(page, operator.account).waitFor()
}

/** The administrator sees what the operator will see, changes nothing by it and comes back to the role. */
async function previewRole(page: Page) {
  const menu = page.getByRole('navigation', { name: '主菜单' }).getByRole('menuitem')
  const own = await menu.count()
  await page.getByRole('button', { name: '以此角色预览' }).click()
  const banner = page.getByRole('complementary', { name: '角色预览' })
  await banner.getByText('正在以角色「值班员」预览').waitFor()
  await page.waitForURL(addressOf(platform, '/account/index'))
  await soon(() => menu.allTextContents()).toEqual([entry])

  const sent: string[] = []
  page.on('request', (request) => sent.push(new URL(request.url()).pathname))
  await page.getByRole('button', { name: /编辑$/ }).click()
  const form = dialog(page, '编辑个人信息')
  await form.getByLabel('昵称').fill('预览者')
  await submit(form)
  await form.getByText('正在预览角色，只能查看').waitFor()
  expect(sent).not.toContain(updateSelf.path)
  await form.getByRole('button', { name: '取消' }).click()
  await confirmWith(page, '确认放弃修改？', '放弃修改')
  await form.waitFor({ state: 'hidden' })
  await banner.getByRole('button', { name: '结束预览' }).click()
  await page.getByRole('heading', { name: /值班员/ }).waitFor()
  await soon(() => menu.count()).toBe(own)
  expect(await banner.count()).toBe(0)
}

test('an operator sees only the given entry and may call only the given APIs', async () => {
  const admin = await openPage(browser, platform)
  await createEntry(admin)
  await createOperatorRole(admin)
  await previewRole(admin)
  await createOperator(admin)

  const page = await openPage(browser, platform, { allowErrors: [answered(403)] })
  await page.goto(platform.consoleUrl)
  await signInHere(page, operator)
  await page.waitForURL(addressOf(platform, '/account/index'))
  const menu = page.getByRole('navigation', { name: '主菜单' })
  await soon(() => menu.getByRole('menuitem').allTextContents()).toEqual([entry])

  const own = await token(page)
  expect(await send(platform, listUsers, {}, own)).toMatchObject({ status: 200, code: 200 })
  expect(await send(platform, listRoles, {}, own)).toMatchObject({ status: 403, code: 100012 })

  // spec 6: /systemMangers is for admins, even though this role may call the list behind it.
  await page.goto(addressOf(platform, '/systemMangers/user/index'))
  await page.getByText('你没有查看「用户管理」的权限').waitFor()
  expect(page.url()).toBe(addressOf(platform, '/systemMangers/user/index'))
  expect(await accountMenu(page).count()).toBe(1)
  expect(await token(page)).toBe(own)
  expect(await page.getByText(administrator.account).count()).toBe(0)

  // It says which role and whom to ask, and asks: the administrators find it in their bell, and deal with it.
  await page.getByText(/你的角色「值班员」不能打开。可以联系管理员，或在这里申请/).waitFor()
  await page.getByRole('button', { name: '申请权限' }).click()
  await page.getByRole('button', { name: '已申请，等待管理员处理' }).waitFor()
  await admin.reload()
  await admin.getByRole('button', { name: '告警，1 个权限申请' }).click()
  const requests = admin.getByRole('region', { name: '权限申请' })
  await requests.getByText(/operator_li（值班员）申请「用户管理」/).waitFor()
  await requests.getByRole('button', { name: '办结' }).click()
  await admin.getByRole('button', { name: '告警', exact: true }).waitFor()
  expect(await requests.count()).toBe(0)
})

test('an administrator who is demoted at work is refused in place and stays signed in', async () => {
  const call = await makeCaller(platform, administrator)
  const person = { account: 'admin_wang', password: 'Wang-admin-1' }
  const { userID } = await call(createUser, { userName: person.account, password: person.password, role: 1 })
  const page = await openPage(browser, platform, { allowErrors: [answered(403)] })
  await signInAt(page, platform, '/systemMangers/user/index', person)
  await row(page, person.account).waitFor()
  const before = await token(page)

  // The built-in supplier may call nothing of the system group.
  await call(updateUser, { userID, role: 2 })
  await page.getByRole('button', { name: '刷新' }).click()
  await page.getByText('你没有查看「用户管理」的权限').waitFor()
  expect(await page.getByRole('row').count()).toBe(0)
  expect(await accountMenu(page).count()).toBe(1)
  expect(await token(page)).toBe(before)

  // The next load knows the new role: the whole group is gone from the menu and closed.
  await page.reload()
  await page.getByText('你没有查看「用户管理」的权限').waitFor()
  const menu = page.getByRole('navigation', { name: '主菜单' })
  await menu.getByRole('menuitem', { name: '设备管理' }).waitFor()
  expect(await menu.getByRole('menuitem', { name: '系统管理' }).count()).toBe(0)
  expect(await token(page)).toBe(before)
})
