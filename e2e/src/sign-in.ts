/** The login page as a person uses it, and the way round it for walks that are about something else. */
import type { Page } from 'playwright-core'
import { signInByCall } from './api.ts'
import type { Platform } from './platform.ts'
import { type Account, administrator, knownAdmin } from './program.ts'
import { addressOf } from './visit.ts'

export { type Account, administrator, knownAdmin }

export const accountField = (page: Page) => page.getByLabel('用户名', { exact: true })
export const passwordField = (page: Page) => page.getByLabel('密码', { exact: true })
export const captchaField = (page: Page) => page.getByLabel('验证码', { exact: true })
export const captchaPicture = (page: Page) => page.getByAltText('验证码')
/** While it is busy its name begins with that of the spinner. */
export const signInButton = (page: Page) => page.getByRole('button', { name: /登录$/ })
export const accountMenu = (page: Page) => page.getByRole('button', { name: /^账号菜单/ })

export async function fillSignIn(page: Page, { account, password }: Account): Promise<void> {
  await accountField(page).fill(account)
  await passwordField(page).fill(password)
}

/** On the login page: signs in and waits until the console's frame is there. */
export async function signInHere(page: Page, who: Account = administrator): Promise<void> {
  await fillSignIn(page, who)
  await signInButton(page).click()
  await accountMenu(page).waitFor()
}

/** Where `/` leads an administrator (decisions.md 2 "Menus before their screens"). */
export const firstScreen = '/deviceMangers/product/index'

/** Goes to a page of the console by way of the login page. */
export async function signInByForm(
  page: Page,
  platform: Platform,
  path: string,
  who: Account = administrator,
): Promise<void> {
  await page.goto(addressOf(platform, path))
  await signInHere(page, who)
  await page.waitForURL(addressOf(platform, path))
}

type Session = Awaited<ReturnType<typeof signInByCall>>
const sessions = new Map<string, Promise<Session>>()

/** One session for all visits of a person to a platform. */
function sessionOf(platform: Platform, who: Account): Promise<Session> {
  const key = [platform.origin, who.account, who.password].join(' ')
  const known = sessions.get(key) ?? signInByCall(platform, who)
  sessions.set(key, known)
  return known
}

/** What an earlier sign-in would have left in the browser, for a page that is not loaded yet. */
export async function giveSession(page: Page, platform: Platform, who: Account = administrator, without = '') {
  const { token, userID } = await sessionOf(platform, who)
  // Once, before the page itself runs: who signs out afterwards stays signed out.
  const given = { mark: `walk-session-${token.slice(-8)}`, token, userID, without }
  await page.addInitScript(({ mark, token, userID, without }) => {
    if (sessionStorage.getItem(mark)) return
    sessionStorage.setItem(mark, 'given')
    localStorage.setItem('iThings-token', token)
    localStorage.setItem('iThings-UID', userID)
    localStorage.removeItem(without)
  }, given)
}

/** Goes to a page of the console with the session that an earlier sign-in would have left in the browser. */
export async function signInAt(
  page: Page,
  platform: Platform,
  path: string,
  who: Account = administrator,
): Promise<void> {
  await giveSession(page, platform, who)
  await page.goto(addressOf(platform, path))
  await accountMenu(page).waitFor()
  await page.waitForURL(addressOf(platform, path))
}

export async function signOut(page: Page): Promise<void> {
  // It may end on the platform, too.
  sessions.clear()
  await accountMenu(page).click()
  await page.getByRole('menuitem', { name: '退出登录' }).click()
  await signInButton(page).waitFor()
}
