/** Both logs tell what happened, without secrets, and can be searched (screens.md 16, 17). */
import { listOperationLogs } from '@ithings/contract/features/logs.ts'
import { createRole, deleteRole } from '@ithings/contract/features/roles.ts'
import { createUser, resetPassword, updateUser } from '@ithings/contract/features/users.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { clearOf } from '#clock.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { act, choose, dialog, row, search } from '#screens.ts'
import { administrator, fillSignIn, knownAdmin, signInAt, signInButton, signInHere } from '#sign-in.ts'
import { addressOf, answered, openPage, soon } from '#visit.ts'

const secret = 'Hidden-words-1'

let platform: Platform
let browser: Browser

beforeAll(async () => {
  // What is logged now must not be of yesterday when the walk looks there.
  await clearOf(0, 2)
  // Its day is another one than that of who looks from Kiritimati, at every hour.
  platform = await startPlatform({ env: { ...knownAdmin, TZ: 'Pacific/Pago_Pago' } })
  browser = await launchBrowser()
  const call = await makeCaller(platform, administrator)
  const { userID } = await call(createUser, { userName: 'li_lei_01', password: secret, role: 3 })
  await call(updateUser, { userID, nickName: '李雷' })
  await call(resetPassword, { userID, password: `${secret}x` })
  const { id } = await call(createRole, { name: '临时' })
  await call(deleteRole, { id })
})
afterAll(async () => {
  if (platform) await discard(platform)
})

const rows = (page: Page) => page.locator('tbody tr.ant-table-row')
const form = (page: Page) => page.getByRole('form', { name: '查询条件' })

/** Types both ends of a range as a person does: field, Enter, field, Enter. */
async function pickRange(page: Page, from: Date, to: Date) {
  const text = (at: Date) => {
    const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
    return local.toISOString().slice(0, 19).replace('T', ' ')
  }
  const [start, end] = [form(page).getByPlaceholder('开始日期'), form(page).getByPlaceholder('结束日期')]
  await start.click()
  await start.fill(text(from))
  await start.press('Enter')
  // The picker goes on to the end by itself; what is typed before that it throws away.
  await soon(() => end.evaluate((field) => field === document.activeElement)).toBe(true)
  await end.fill(text(to))
  await end.press('Enter')
  await page.locator('.ant-picker-dropdown').waitFor({ state: 'hidden' })
}

test('the operation log shows who did what, with masked secrets, and days of who looks', async () => {
  const page = await openPage(browser, platform, { timezoneId: 'Pacific/Kiritimati' })
  await signInAt(page, platform, '/systemMangers/log/operationLog/index')
  for (const name of ['新增用户', '修改用户', '重置用户密码', '新增角色', '删除角色']) await row(page, name).waitFor()
  await act(page, '重置用户密码', '查看')
  const detail = dialog(page, '操作详情')
  await detail.getByText('/api/v1/system/user/reset-password').first().waitFor()
  await detail.getByText(administrator.account).first().waitFor()
  await detail.getByText('******').first().waitFor()
  expect(await detail.textContent()).not.toContain(secret)

  // The arrows walk through the page.
  await detail.getByRole('button', { name: '下一条' }).click()
  await detail.getByText('修改用户').first().waitFor()
  // The first Escape may be for the arrow's tooltip.
  await soon(async () => {
    await page.keyboard.press('Escape')
    return detail.isVisible()
  }).toBe(false)

  const ahead = 14 * 3_600_000
  const dayHere = () => String(Math.floor((Date.now() + ahead) / 86_400_000) * 86_400_000 - ahead)
  const days = [dayHere()]
  const asked = page.waitForRequest((request) => request.url().endsWith(listOperationLogs.path))
  await form(page).getByText('今天', { exact: true }).click()
  const { dateRange } = (await asked).postDataJSON() as { dateRange: { start: string } }
  expect([...days, dayHere()]).toContain(dateRange.start)
})

test('the operation log is filtered by name, type, person and time', async () => {
  const page = await openPage(browser, platform)
  await signInAt(page, platform, '/systemMangers/log/operationLog/index')
  await row(page, '新增用户').waitFor()
  await search(page, '操作名称', '角色')
  await soon(() => rows(page).count()).toBe(2)
  await choose(page, form(page).getByLabel('业务类型'), '删除')
  await form(page).getByRole('button', { name: '查询' }).click()
  await soon(() => rows(page).count()).toBe(1)
  await row(page, '删除角色').waitFor()
  // The filter is in the address, so it can be shared and reloaded.
  await page.reload()
  await row(page, '删除角色').waitFor()
  expect(await rows(page).count()).toBe(1)

  await form(page).getByRole('button', { name: '重置' }).click()
  await soon(() => rows(page).count()).toBeGreaterThanOrEqual(5)
  // A time is chosen with one click; what was typed before goes with it.
  await form(page).getByText('昨天', { exact: true }).click()
  await page.getByText('没有符合条件的结果').waitFor()
  const now = Date.now()
  await form(page).getByRole('button', { name: '自定义' }).click()
  await page.locator('.ant-picker-dropdown').waitFor()
  await pickRange(page, new Date(now - 3_600_000), new Date(now))
  await row(page, '新增用户').waitFor()
  await pickRange(page, new Date(now - 7_200_000), new Date(now - 3_600_000))
  await page.getByText('没有符合条件的结果').waitFor()
})

test('the login log tells successes from failures and names the reason', async () => {
  const page = await openPage(browser, platform, { allowErrors: [answered(400)] })
  await page.goto(addressOf(platform, '/systemMangers/log/loginLog/index'))
  await fillSignIn(page, { ...administrator, password: 'wrong words' })
  await signInButton(page).click()
  await page.getByRole('alert').filter({ hasText: '账号或密码错误' }).waitFor()
  await signInHere(page)
  const failed = row(page, /administrator.*失败.*账号或密码错误/)
  await failed.waitFor()
  await row(page, /administrator.*成功/)
    .first()
    .waitFor()
  expect(await failed.textContent()).toMatch(/127\.0\.0\.1.*Chrom/)

  await choose(page, form(page).getByLabel('结果'), '成功')
  await form(page).getByRole('button', { name: '查询' }).click()
  await failed.waitFor({ state: 'detached' })
  await search(page, '用户', 'nobody_of_this_name')
  await page.getByText('没有符合条件的结果').waitFor()
})
