/** Everything the login page refuses, and how it says so (http-api.md 2.2). One address for each test: it would freeze. */
import { createUser, EnabledStatus, getCaptcha } from '@ithings/contract/features/users.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCaller, send } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { answerOf, watchCaptcha } from '#captcha.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import {
  type Account,
  accountField,
  administrator,
  captchaField,
  captchaPicture,
  knownAdmin,
  passwordField,
  signInButton,
} from '#sign-in.ts'
import { addressOf, answered, openPage, soon } from '#visit.ts'

const disabled = { account: 'retired_one', password: 'Retired-123' }

let platform: Platform
let browser: Browser

beforeAll(async () => {
  platform = await startPlatform({ env: { ...knownAdmin, TRUST_PROXY: 'on', CAPTCHA: 'on' } })
  const { data: picture } = await send(platform, getCaptcha, {})
  const code = await answerOf(platform, picture)
  const call = await makeCaller(platform, administrator, { codeID: picture.codeID, code })
  for (const userName of [disabled.account, 'unlucky_one']) {
    const status = userName === disabled.account ? EnabledStatus.disabled : EnabledStatus.enabled
    await call(createUser, { userName, password: disabled.password, role: 3, status })
  }
  browser = await launchBrowser()
})
afterAll(async () => {
  if (platform) await discard(platform)
})

async function openLogin(address: string) {
  const page = await openPage(browser, platform, {
    headers: { 'X-Forwarded-For': address },
    allowErrors: [answered(400)],
  })
  const picture = watchCaptcha(page)
  await page.goto(addressOf(platform, '/user/login'))
  const failure = page.getByRole('alert').filter({ hasText: '登录失败' })
  /** Fills everything in, with the right captcha unless another is given, and answers the text of the refusal. */
  const refused = async (who: Account, code?: string): Promise<string> => {
    // As a person does: what is still there is not typed again.
    if ((await accountField(page).inputValue()) !== who.account) await accountField(page).fill(who.account)
    if ((await passwordField(page).inputValue()) !== who.password) await passwordField(page).fill(who.password)
    const before = await picture()
    await captchaField(page).fill(code ?? (await answerOf(platform, before)))
    await signInButton(page).click()
    // The code is spent, so there must be a new picture, whatever was wrong.
    await soon(() => captchaPicture(page).getAttribute('src')).not.toBe(before.url)
    return (await failure.textContent()) ?? ''
  }
  return { page, refused }
}

const stillAtLogin = async (page: Page) => {
  expect(page.url()).toBe(addressOf(platform, '/user/login'))
  expect(await page.evaluate(() => localStorage.getItem('iThings-token'))).toBeNull()
}

test('a wrong captcha is refused, the picture is renewed and the other fields are kept', async () => {
  const { page, refused } = await openLogin('10.0.0.1')
  expect(await refused(administrator, '0000')).toContain('验证码错误')
  expect(await accountField(page).inputValue()).toBe(administrator.account)
  expect(await passwordField(page).inputValue()).toBe(administrator.password)
  await soon(() => captchaField(page).inputValue()).toBe('')
  await captchaField(page).and(page.locator(':focus')).waitFor()
  await stillAtLogin(page)
})

test('empty fields are named before anything is sent', async () => {
  const { page } = await openLogin('10.0.0.2')
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.url()))
  await captchaPicture(page).waitFor()
  await signInButton(page).click()
  for (const text of ['用户名必填', '密码必填', '请输入验证码']) await page.getByText(text).waitFor()
  expect(sent.filter((url) => url.endsWith('/user/login'))).toEqual([])
})

test('an unknown account and a wrong password are answered in the same words', async () => {
  const { page, refused } = await openLogin('10.0.0.3')
  expect(await refused({ account: 'nobody_here', password: 'Whatever-1' })).toContain('账号或密码错误')
  expect(await refused({ ...administrator, password: 'Whatever-1' })).toContain('账号或密码错误')
  await stillAtLogin(page)
})

test('a disabled account is told whom to ask', async () => {
  const { page, refused } = await openLogin('10.0.0.4')
  expect(await refused(disabled)).toContain('账号已被禁用，请联系管理员')
  await stillAtLogin(page)
})

test('the eighth wrong password freezes account and address and says for how long', async () => {
  const { refused } = await openLogin('10.0.0.5')
  const wrong = { account: 'unlucky_one', password: 'Whatever-1' }
  for (let tries = 1; tries < 8; tries++) expect(await refused(wrong)).toContain('账号或密码错误')
  expect(await refused(wrong)).toContain('密码输入错误过多，账号冻结，请 2 分钟后再试')
  // Even the right password waits, and so does everybody else at this address.
  expect(await refused({ ...wrong, password: disabled.password })).toContain('账号冻结')
  expect(await refused(administrator)).toContain('账号冻结')

  const elsewhere = await openLogin('10.0.0.6')
  expect(await elsewhere.refused({ ...wrong, password: disabled.password })).toContain('账号冻结')
})

test('caps lock is pointed out while the password is typed', async () => {
  const { page } = await openLogin('10.0.0.7')
  const hint = page.getByText('大写锁定已开启')
  await passwordField(page).press('a')
  expect(await hint.count()).toBe(0)
  // Headless browsers keep no lock state, so the keystroke itself says that the lock is on.
  await passwordField(page).dispatchEvent('keydown', { key: 'B', modifierCapsLock: true })
  await hint.waitFor()
  await accountField(page).focus()
  await hint.waitFor({ state: 'detached' })
})

test('the picture can be exchanged by hand', async () => {
  const { page } = await openLogin('10.0.0.8')
  const before = await captchaPicture(page).getAttribute('src')
  await soon(async () => {
    // Clicks within a second of the last picture are held back (screens.md 1.1).
    await page.getByRole('button', { name: '看不清，换一张' }).click()
    return captchaPicture(page).getAttribute('src')
  }).not.toBe(before)
})
