/** A session that ends while something is unsaved: the draft stays, and is saved by whoever signs in again over it. */
import { endUserSessions } from '@ithings/contract/features/sessions.ts'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Caller } from './api.ts'
import type { Platform } from './platform.ts'
import { dialog, submit, told } from './screens.ts'
import { addressOf, soon } from './visit.ts'

/** @param call of an administrator, who ends the session */
export async function loseSession(page: Page, platform: Platform, call: Caller, nickName: string) {
  await page.goto(addressOf(platform, '/account/index'))
  await page.getByRole('button', { name: /编\s?辑$/ }).click()
  const form = dialog(page, '编辑个人信息')
  await form.getByLabel('昵称').fill(nickName)
  const userID = await page.evaluate(() => localStorage.getItem('iThings-UID'))
  await call(endUserSessions, { userID: userID ?? '' })
  // Whatever the page asks for first finds out; the button may be below the question then.
  await page.locator('.form-modal [type=submit]').dispatchEvent('click')
  const question = dialog(page, '登录已失效，请重新登录')
  await question.waitFor()
  return question
}

export async function saveKept(page: Page, question: Locator, nickName: string): Promise<void> {
  await soon(() => question.count()).toBe(0)
  const form = dialog(page, '编辑个人信息')
  expect(await form.getByLabel('昵称').inputValue()).toBe(nickName)
  await submit(form)
  await told(page, '更新成功')
}
