/** One's own account: the second factor from enrolment to the sign-in with a code, and the list of signed-in devices. */
import { errors } from '@ithings/contract/errors.ts'
import { endSession } from '@ithings/contract/features/sessions.ts'
import { createUser } from '@ithings/contract/features/users.ts'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { dialog, submit, told } from '#screens.ts'
import { accountMenu, administrator, fillSignIn, knownAdmin, signInButton, signInByForm, signOut } from '#sign-in.ts'
import { totp } from '#totp.ts'
import { addressOf, answered, openPage, pocket, soon } from '#visit.ts'

const person = { account: 'zhou_yuan', password: 'Zhou-yuan-1' }
const account = '/account/index'

let platform: Platform
let browser: Browser

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
  const call = await makeCaller(platform, administrator)
  await call(createUser, { userName: person.account, password: person.password, role: 1 })
})
afterAll(async () => {
  if (platform) await discard(platform)
})

/** The code of the moment is good for half a minute or more: who was slower is asked again, as a person is. */
async function enterCode(field: Locator, button: Locator, code: () => string, refusal: Locator, done: Locator) {
  for (;;) {
    await field.fill(code())
    await button.click()
    await refusal.or(done).first().waitFor()
    if (await done.isVisible()) return
  }
}

const rows = (page: Page) => page.getByRole('region', { name: '登录设备' }).getByRole('listitem')

test('a person enrols, signs in with a code, sees the signed-in devices and ends one', async () => {
  const page = await openPage(browser, platform, { allowErrors: [answered(400, 401, 403)] })
  await signInByForm(page, platform, account, person)
  await page.getByRole('region', { name: '两步验证' }).getByRole('button', { name: '启用' }).click()
  const enrol = dialog(page, '启用两步验证')
  await enrol.getByLabel('登录密码').fill(person.password)
  await enrol.getByRole('button', { name: '下一步' }).click()
  const secret = (await enrol.locator('.enrol-secret .mono').innerText()).replaceAll(/\s/g, '')
  const codes = enrol.getByRole('list', { name: '恢复码' }).getByRole('listitem')
  await enterCode(
    enrol.getByLabel('应用显示的验证码'),
    enrol.getByRole('button', { name: '启用' }),
    () => totp(secret, Date.now()),
    enrol.getByText('两步验证码错误'),
    codes.first(),
  )
  expect(await codes.count()).toBe(10)
  const [oldRecovery = ''] = await codes.allInnerTexts()
  await enrol.getByRole('button', { name: '已保存，完成' }).click()
  await page.getByText('恢复码剩余 10 个').waitFor()

  await page.getByRole('button', { name: '更换恢复码' }).click()
  const sure = page.getByRole('dialog').filter({ hasText: '更换恢复码？' })
  await sure.getByRole('button', { name: /^更\s?换$/ }).click()
  const renewed = dialog(page, '新的恢复码')
  const newCodes = renewed.getByRole('list', { name: '恢复码' }).getByRole('listitem')
  await newCodes.first().waitFor()
  const [recovery = '', secondRecovery = ''] = await newCodes.allInnerTexts()
  await renewed.getByRole('button', { name: '已保存，完成' }).click()
  await renewed.waitFor({ state: 'hidden' })

  await signOut(page)
  await fillSignIn(page, person)
  await signInButton(page).click()
  await page.getByLabel('两步验证码').fill(oldRecovery)
  await signInButton(page).click()
  const refusal = page.getByText('登录失败：两步验证码错误')
  await refusal.waitFor()
  // That of the next half minute counts already, and cannot be the one that enrolled.
  const next = () => totp(secret, Date.now() + 30_000)
  await enterCode(page.getByLabel('两步验证码'), signInButton(page), next, refusal, accountMenu(page))

  // Elsewhere, with a recovery code: the first session hears of it.
  const phone = await openPage(browser, platform, {
    viewport: pocket,
    headers: { 'user-agent': 'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Firefox/140.0' },
    allowErrors: [answered(400, 401)],
  })
  await phone.goto(addressOf(platform, account))
  await fillSignIn(phone, person)
  await signInButton(phone).click()
  await phone.getByLabel('两步验证码').fill(recovery)
  await signInButton(phone).click()
  await soon(() => rows(phone).count()).toBe(2)

  await page.goto(addressOf(platform, account))
  await page.getByText('你的账号在新的地点登录过').waitFor()
  await soon(() => rows(page).count()).toBe(2)
  const other = rows(page).filter({ hasText: '新地点' })
  await page.getByRole('button', { name: '知道了' }).click()
  await page.getByText('你的账号在新的地点登录过').waitFor({ state: 'detached' })

  // As if the code had been given too long ago for this: it is asked for in between, and the call repeated.
  const json = { code: errors.secondFactorStale.code, msg: errors.secondFactorStale.msg }
  await page.route(`**${endSession.path}`, (route) => route.fulfill({ status: 403, json }), { times: 1 })
  await other.getByRole('button', { name: /^下线/ }).click()
  const question = page.getByRole('dialog').filter({ hasText: /下线？/ })
  await question.getByRole('button', { name: '下线', exact: true }).click()
  const asked = dialog(page, '请再次输入两步验证码')
  await asked.getByLabel('验证码或恢复码').fill(secondRecovery)
  await submit(asked, '验证')
  await told(page, '已下线')
  await soon(() => rows(page).count()).toBe(1)
  await phone.reload()
  await signInButton(phone).waitFor()
  expect(await accountMenu(phone).count()).toBe(0)
})
