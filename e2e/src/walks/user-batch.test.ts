/** Several users are disabled at once; who is in that state already is left alone (screens.md 0.2). */
import { createUser, EnabledStatus, listUsers, updateUserStatus } from '@ithings/contract/features/users.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { dialog, row } from '#screens.ts'
import { administrator, knownAdmin, signInAt } from '#sign-in.ts'
import { openPage, soon } from '#visit.ts'

let platform: Platform
let browser: Browser
let call: Caller

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
  call = await makeCaller(platform, administrator)
})
afterAll(async () => {
  if (platform) await discard(platform)
})

test('two chosen users: one is disabled, the other was already and is named', async () => {
  const names = ['zhangwei', 'liufang']
  for (const userName of names) await call(createUser, { userName, password: 'Walk-2026x', role: 3 })
  const users = async () => (await call(listUsers, { page: { page: 1, size: 50 } })).list
  const away = (await users()).find(({ userName }) => userName === 'liufang')
  await call(updateUserStatus, { userID: away?.userID ?? '', status: EnabledStatus.disabled })

  const page = await openPage(browser, platform)
  await signInAt(page, platform, '/systemMangers/user/index')
  for (const name of names) await row(page, name).getByRole('checkbox').check()
  await page.getByRole('button', { name: /禁用$/ }).first().click()
  const modal = dialog(page, '禁用 1 个用户？')
  await modal.getByText('已是禁用状态').waitFor()
  await modal.getByRole('button', { name: '禁用' }).click()
  await dialog(page, '已禁用 1 个用户').getByText('成功').waitFor()
  expect((await users()).filter(({ status }) => status === EnabledStatus.disabled)).toHaveLength(2)
  await page.getByRole('button', { name: '关闭' }).last().click()
  await soon(() => dialog(page, '已禁用 1 个用户').count()).toBe(0)
})
