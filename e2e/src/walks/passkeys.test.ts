/** Passkeys with an authenticator of Chromium: added, used alone and behind the password, asked for before a dangerous act, removed. */
import { errors } from '@ithings/contract/errors.ts'
import { removePasskey } from '@ithings/contract/features/passkeys.ts'
import { createUser } from '@ithings/contract/features/users.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { loseSession, saveKept } from '#lost-session.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { dialog, submit, told } from '#screens.ts'
import { accountMenu, administrator, fillSignIn, knownAdmin, signInButton, signInByForm, signOut } from '#sign-in.ts'
import { addressOf, answered, openPage, soon } from '#visit.ts'

const person = { account: 'lin_qiao', password: 'Lin-qiao-1' }
const account = '/account/index'

let started: Platform
/** As the browser reaches it: passkeys belong to a name, never to an address. */
let platform: Platform
let browser: Browser
let call: Caller

beforeAll(async () => {
  started = await startPlatform({ env: knownAdmin })
  const named = (address: string) => address.replace('//127.0.0.1', '//localhost')
  platform = { ...started, origin: named(started.origin), consoleUrl: named(started.consoleUrl) }
  browser = await launchBrowser()
  call = await makeCaller(started, administrator)
  await call(createUser, { userName: person.account, password: person.password, role: 1 })
})
afterAll(async () => {
  if (started) await discard(started)
})

/** A fingerprint reader that knows the person; it keeps its passkeys as long as the page is open. */
async function giveAuthenticator(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    /** False: the finger is not known, and the person gives up. */
    know: (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }).then(() => undefined),
  }
}

const card = (page: Page) => page.getByRole('region', { name: '通行密钥' })
const rows = (page: Page) => card(page).getByRole('listitem')
const passkeyButton = (page: Page) => page.getByRole('button', { name: '使用通行密钥' })

async function add(page: Page, name: string, password?: string) {
  await card(page)
    .getByRole('button', { name: /^添\s?加$/ })
    .click()
  const form = dialog(page, '添加通行密钥')
  await form.getByLabel('名称').fill(name)
  if (password) await form.getByLabel('登录密码').fill(password)
  await submit(form, '下一步')
}

test('a person adds a passkey, signs in with it alone, behind the password and over a draft, confirms with it and removes it', async () => {
  const page = await openPage(browser, platform, { allowErrors: [answered(400, 401, 403)] })
  const finger = await giveAuthenticator(page)
  await signInByForm(page, platform, account, person)

  await add(page, '办公电脑', person.password)
  const codes = dialog(page, '恢复码').getByRole('list', { name: '恢复码' }).getByRole('listitem')
  await codes.first().waitFor()
  expect(await codes.count()).toBe(10)
  await dialog(page, '恢复码').getByRole('button', { name: '已保存，完成' }).click()
  await rows(page).filter({ hasText: '办公电脑' }).waitFor()
  // The same device is not added twice.
  await add(page, '又一个')
  await page.getByText('这台设备上已经有这个账号的通行密钥').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: '放弃修改' }).click()

  // Alone.
  await signOut(page)
  await finger.know(false)
  await passkeyButton(page).click()
  await page.getByText('登录失败：已取消，或这里没有可用的通行密钥').waitFor()
  await finger.know(true)
  await passkeyButton(page).click()
  await accountMenu(page).waitFor()

  // Behind the password.
  await signOut(page)
  await fillSignIn(page, person)
  await signInButton(page).click()
  await page.getByLabel('两步验证码').waitFor()
  await passkeyButton(page).click()
  await accountMenu(page).waitFor()

  // Over a draft whose session has ended.
  const question = await loseSession(page, platform, call, '林巧')
  await question.getByRole('button', { name: '使用通行密钥' }).click()
  await saveKept(page, question, '林巧')

  await page.goto(addressOf(platform, account))
  await rows(page)
    .filter({ hasText: '办公电脑' })
    .getByRole('button', { name: /^重命名/ })
    .click()
  await dialog(page, '重命名通行密钥').getByLabel('名称').fill('家里的电脑')
  await submit(dialog(page, '重命名通行密钥'), '保存')
  await told(page, '更新成功')

  // As if the last proof were too old: it is asked for in between, and the call repeated.
  const json = { code: errors.secondFactorStale.code, msg: errors.secondFactorStale.msg }
  await page.route(`**${removePasskey.path}`, (route) => route.fulfill({ status: 403, json }), { times: 1 })
  await rows(page).filter({ hasText: '家里的电脑' }).getByRole('button', { name: /^移除/ }).click()
  const removal = page.getByRole('dialog').filter({ hasText: '移除通行密钥「家里的电脑」？' })
  await removal.getByRole('button', { name: /^移\s?除$/ }).click()
  await dialog(page, '请再次输入两步验证码').getByRole('button', { name: '使用通行密钥' }).click()
  await told(page, '通行密钥已移除')
  await soon(() => rows(page).count()).toBe(0)

  // The password alone is enough again, and the passkey that the device still has is not known any more.
  await signOut(page)
  await passkeyButton(page).click()
  await page.getByText('平台没有这个通行密钥').waitFor()
  await fillSignIn(page, person)
  await signInButton(page).click()
  await accountMenu(page).waitFor()
})

test('where the page has another address, none is offered and the account tells where they work', async () => {
  const page = await openPage(browser, started)
  await page.goto(addressOf(started, account))
  await signInButton(page).waitFor()
  expect(await passkeyButton(page).count()).toBe(0)
  await signInByForm(page, started, account)
  await card(page).getByText(`通行密钥只能在 ${platform.origin} 添加和使用`).waitFor()
})
