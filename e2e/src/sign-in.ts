/** The login page as a person uses it. */
import type { Page } from 'playwright-core'
import type { Platform } from './platform.ts'
import { addressOf } from './visit.ts'

export interface Account {
  account: string
  password: string
}

export const administrator = { account: 'administrator', password: 'Walk-through-1' }
/** A platform whose administrator's password the walk knows. */
export const knownAdmin = { ADMIN_PASSWORD: administrator.password }

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
export async function signInAt(
  page: Page,
  platform: Platform,
  path: string,
  who: Account = administrator,
): Promise<void> {
  await page.goto(addressOf(platform, path))
  await signInHere(page, who)
  await page.waitForURL(addressOf(platform, path))
}

export async function signOut(page: Page): Promise<void> {
  await accountMenu(page).click()
  await page.getByRole('menuitem', { name: '退出登录' }).click()
  await signInButton(page).waitFor()
}
