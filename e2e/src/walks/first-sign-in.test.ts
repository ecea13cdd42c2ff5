/** A stranger's first minute: the printed password, the captcha, the menu, and out again (issue: Foundation 8). */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '#browser.ts'
import { answerOf, watchCaptcha } from '#captcha.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { told } from '#screens.ts'
import { accountField, accountMenu, captchaField, fillSignIn, firstScreen, signInButton, signOut } from '#sign-in.ts'
import { addressOf, openPage, soon } from '#visit.ts'

let platform: Platform
let browser: Browser

beforeAll(async () => {
  platform = await startPlatform({ ownDatabase: true, env: { CAPTCHA: 'on' } })
  browser = await launchBrowser()
})
afterAll(async () => {
  if (platform) await discard(platform)
})

test('the printed password and the captcha lead into the console, reload keeps the place, sign-out ends it', async () => {
  expect(platform.printedPassword).toMatch(/^\S{12,}$/)
  const page = await openPage(browser, platform)
  const picture = watchCaptcha(page)

  // The bare address of the installation is all a stranger knows.
  await page.goto(platform.origin)
  await page.waitForURL(addressOf(platform, '/user/login'))
  await page.getByRole('heading', { name: '用户登录' }).waitFor()
  await soon(() => page.title()).toBe('用户登录 - iThings')
  await fillSignIn(page, { account: 'administrator', password: platform.printedPassword ?? '' })
  // Lower case is as good as what the picture shows.
  await captchaField(page).fill((await answerOf(platform, await picture())).toLowerCase())
  await signInButton(page).click()

  await page.waitForURL(addressOf(platform, firstScreen))
  await told(page, '登录成功')
  await page.getByRole('heading', { name: '产品', exact: true }).waitFor()

  const menu = page.getByRole('navigation', { name: '主菜单' })
  const trail = page.getByRole('navigation', { name: '面包屑' })
  await soon(() => trail.textContent()).toMatch(/^设备管理\s*\/\s*产品$/)
  const selected = menu.locator('.ant-menu-item-selected')
  await soon(() => selected.allTextContents()).toEqual(['产品'])

  await menu.getByRole('menuitem', { name: '系统管理' }).click()
  await menu.getByRole('link', { name: '角色管理' }).click()
  await page.getByRole('heading', { name: '角色管理' }).waitFor()
  await soon(() => selected.allTextContents()).toEqual(['角色管理'])
  await soon(() => trail.textContent()).toMatch(/角色管理$/)
  await soon(() => page.title()).toBe('角色管理 - iThings')

  await page.reload()
  await page.getByRole('heading', { name: '角色管理' }).waitFor()
  expect(page.url()).toBe(addressOf(platform, '/systemMangers/role/index'))
  await soon(() => selected.allTextContents()).toEqual(['角色管理'])

  await signOut(page)
  expect(page.url()).toBe(addressOf(platform, '/user/login'))
  const kept = await page.evaluate(() => Object.keys(localStorage))
  expect(kept).not.toContain('iThings-token')
  expect(kept).not.toContain('iThings-UID')

  // The browser's back button must not show what was on the screen before.
  await page.goBack()
  await accountField(page).waitFor()
  expect(await accountMenu(page).count()).toBe(0)
  expect(new URL(page.url()).pathname).toBe('/front/iThingsCore/user/login')
})

test('the password is printed by the first start only', async () => {
  const { dataDir } = platform
  await platform.kill('SIGTERM')
  platform = await startPlatform({ dataDir, env: { CAPTCHA: 'on' } })
  expect(platform.printedPassword).toBeUndefined()
  expect(platform.output()).toContain('is ready')
})
