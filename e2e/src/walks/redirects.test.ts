/** The way to the login page and back (spec 2, 8; decisions.md 2). */
import { createUser, listUsers, resetPassword } from '@ithings/contract/features/users.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import {
  accountMenu,
  administrator,
  firstScreen,
  knownAdmin,
  signInButton,
  signInByForm,
  signInHere,
  signOut,
} from '#sign-in.ts'
import { addressOf, answered, goInside, openPage, soon } from '#visit.ts'

let platform: Platform
let browser: Browser
let call: Caller

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  call = await makeCaller(platform, administrator)
  browser = await launchBrowser()
})
afterAll(async () => {
  if (platform) await discard(platform)
})

const loginWith = (redirect: string) => addressOf(platform, `/user/login?redirect=${encodeURIComponent(redirect)}`)

test('a deep link opened signed out leads to login and back to it with its query', async () => {
  const page = await openPage(browser, platform)
  const deep = '/systemMangers/role/index?name=user'
  await page.goto(addressOf(platform, deep))
  await signInButton(page).waitFor()
  expect(page.url()).toBe(loginWith(deep))
  await signInHere(page)
  await page.waitForURL(addressOf(platform, deep))
  // The query is the filter of the list, so it must have been used.
  await page.getByRole('row', { name: /user/ }).waitFor()
  expect(await page.getByRole('row', { name: /供应商/ }).count()).toBe(0)
})

test('/user alone leads to the login page (spec 2)', async () => {
  const page = await openPage(browser, platform)
  await page.goto(addressOf(platform, '/user'))
  await page.waitForURL(addressOf(platform, '/user/login'))
})

const evil = ['//evil.example/x', 'https://evil.example/x', '\\\\evil.example', 'javascript:alert(1)']
test('a redirect to another place is not followed, the way leads to the first page', async () => {
  const page = await openPage(browser, platform)
  await page.goto(addressOf(platform, '/user/login'))
  for (const redirect of evil) {
    await goInside(page, platform, `/user/login?redirect=${encodeURIComponent(redirect)}`)
    await signInHere(page)
    await page.waitForURL(addressOf(platform, firstScreen))
  }
})

test('a 401 in the middle of work leads to login with the reason, and back to the same page', async () => {
  const person = { account: 'second_admin', password: 'Second-admin-1' }
  const { userID } = await call(createUser, { userName: person.account, password: person.password, role: 1 })
  const page = await openPage(browser, platform, { allowErrors: [answered(401)] })
  const place = '/systemMangers/user/index?userName=second'
  await signInByForm(page, platform, place, person)
  await page.getByRole('row', { name: /second_admin/ }).waitFor()

  // Another administrator resets the password, which ends every session of the person.
  const password = 'Third-admin-2'
  await call(resetPassword, { userID, password })
  const refused = page.waitForResponse((response) => response.url().endsWith(listUsers.path))
  await page.getByRole('button', { name: '刷新' }).click()
  expect((await refused).status()).toBe(401)
  await signInButton(page).waitFor()
  expect(page.url()).toBe(loginWith(place))
  expect(await page.evaluate(() => localStorage.getItem('iThings-token'))).toBeNull()

  await signInHere(page, { ...person, password })
  await page.waitForURL(addressOf(platform, place))
  await page.getByRole('row', { name: /second_admin/ }).waitFor()

  // Something unsaved outlives both: Back asks first, and the end of the session is met over the page.
  await page.getByRole('navigation', { name: '主菜单' }).getByRole('link', { name: '角色管理' }).click()
  await page.getByRole('button', { name: '新增角色' }).click()
  const form = page.getByRole('dialog', { name: '新增角色' })
  await form.getByLabel('角色名称').fill('夜班')
  await page.goBack()
  const question = page.getByRole('dialog', { name: '确认放弃修改？' })
  await question.getByRole('button', { name: '继续编辑' }).and(page.locator(':focus')).waitFor()
  expect(await question.getByRole('button').allTextContents()).toEqual(['继续编辑', '放弃修改'])
  await page.keyboard.press('Enter')
  await soon(() => question.count()).toBe(0)
  expect(page.url()).toBe(addressOf(platform, '/systemMangers/role/index'))

  await call(resetPassword, { userID, password: person.password })
  // Whatever the page asks for first finds out; the button may be below the question then.
  await page.locator('.form-modal [type=submit]').dispatchEvent('click')
  const again = page.getByRole('dialog', { name: '登录已失效，请重新登录' })
  await again.getByLabel('用户名', { exact: true }).fill(person.account)
  await again.getByLabel('密码', { exact: true }).fill(person.password)
  await again.getByRole('button', { name: '登录', exact: true }).click()
  await soon(() => again.count()).toBe(0)
  expect(await form.getByLabel('角色名称').inputValue()).toBe('夜班')
  await form.getByRole('button', { name: '创建' }).click()
  await page.getByRole('row', { name: /夜班/ }).waitFor()
})

test('signing out in one tab signs the other tabs out', async () => {
  // What the other one was just asking for is refused.
  const page = await openPage(browser, platform, { allowErrors: [answered(401)] })
  await signInByForm(page, platform, '/systemMangers/role/index')
  const other = await page.context().newPage()
  await other.goto(addressOf(platform, '/systemMangers/menu/index'))
  await accountMenu(other).waitFor()

  await signOut(page)
  await signInButton(other).waitFor()
  expect(other.url()).toBe(loginWith('/systemMangers/menu/index'))
})
