/** Single sign-on: a provider is set up, a person signs in by it with the role that it says, and signs out at both ends (screens.md 34). */
import { listProviders } from '@ithings/contract/features/sign-on.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { loseSession, saveKept } from '#lost-session.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { reachable } from '#pump-plant.ts'
import { choose, dialog, row, submit, told } from '#screens.ts'
import { accountMenu, administrator, knownAdmin, signInAt } from '#sign-in.ts'
import { addressOf, answered, openPage, pocket } from '#visit.ts'
import {
  clientID,
  clientSecret,
  type RealProvider,
  startRealProvider,
} from '../../../apps/server/src/features/sign-on/testing/real-provider.ts'

const path = '/systemMangers/signOn/index'
const shots = process.env.SHOTS
let platform: Platform
let browser: Browser
let provider: RealProvider

beforeAll(async () => {
  platform = await startPlatform({ env: { ...knownAdmin, ...reachable, HOST: '127.0.0.1' } })
  browser = await launchBrowser()
  provider = await startRealProvider({
    redirectUri: addressOf(platform, '/user/sign-on/acme'),
    signOutUri: addressOf(platform, '/user/login'),
  })
  provider.accounts.set('u-1001', {
    preferred_username: 'zhangwei',
    name: '张伟',
    email: 'zhangwei@corp.example',
    groups: ['iot-operators'],
  })
})
afterAll(async () => {
  await provider?.close()
  if (platform) await discard(platform)
})

const photograph = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: `${shots}/sign-on-${name}.png` })
}

async function addProvider(page: Page): Promise<void> {
  await signInAt(page, platform, path)
  await page.getByText('还没有企业登录').waitFor()
  await page
    .getByRole('button', { name: /新增企业登录$/ })
    .first()
    .click()
  const form = dialog(page, '新增企业登录')
  await form.getByRole('textbox', { name: /^名称/ }).fill('集团认证')
  await form.getByRole('textbox', { name: /^英文名称/ }).fill('Acme ID')
  await form.getByRole('textbox', { name: /^标识/ }).fill('acme')
  await form.getByRole('textbox', { name: /^签发者地址/ }).fill(`${provider.issuer}/wrong`)
  await form.getByRole('button', { name: '测试连接' }).click()
  await form.getByText('没有找到登录服务').waitFor()
  await form.getByRole('textbox', { name: /^签发者地址/ }).fill(provider.issuer)
  await form.getByRole('button', { name: '测试连接' }).click()
  await form.getByText('找到了登录服务').waitFor()
  await form.getByRole('textbox', { name: /^客户端 ID/ }).fill(clientID)
  await form.getByLabel('客户端密钥').fill(clientSecret)
  await form.getByRole('textbox', { name: /^申请的范围/ }).fill('openid profile email groups')
  await form.getByRole('button', { name: '添加规则' }).click()
  await form.getByLabel('第 1 条规则的声明').fill('groups')
  await form.getByLabel('第 1 条规则的值').fill('iot-operators')
  await choose(page, form.getByLabel('第 1 条规则的角色'), '供应商')
  await photograph(page, 'form')
  await submit(form, '创建')
  await told(page, '创建成功，请打开编辑，把回调地址登记到对方')
  await row(page, '集团认证').getByText('启用').first().waitFor()
  await photograph(page, 'list')
}

async function signInAtProvider(page: Page): Promise<void> {
  await page.getByRole('button', { name: '通过 集团认证 登录' }).click()
  await page.getByLabel('Account').fill('u-1001')
  await page.getByRole('button', { name: 'Continue' }).click()
  await accountMenu(page).waitFor()
}

test('a provider is added; a person signs in by it, has the role that it says, and signs out at both ends', async () => {
  const admin = await openPage(browser, platform)
  await addProvider(admin)
  await row(admin, '集团认证').getByRole('button', { name: '集团认证' }).click()
  const edit = dialog(admin, '编辑企业登录「集团认证」')
  await edit.getByText(addressOf(platform, '/user/sign-on/acme')).waitFor()
  await edit.getByPlaceholder('已保存，留空则不修改').waitFor()
  expect(await admin.content()).not.toContain(clientSecret)
  await photograph(admin, 'edit')

  const allowErrors = [answered(400, 401, 404)]
  const page = await openPage(browser, platform, { allowErrors, elsewhere: [provider.issuer] })
  await page.goto(addressOf(platform, '/account/index'))
  await page.getByRole('button', { name: '通过 集团认证 登录' }).waitFor()
  await photograph(page, 'buttons')
  await page.getByRole('button', { name: '通过 集团认证 登录' }).click()
  // Somebody whom the provider does not know.
  await page.getByLabel('Account').fill('nobody')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('alert').getByText('你在对方那里取消了登录').waitFor()
  await photograph(page, 'refused')

  await signInAtProvider(page)
  await page.goto(addressOf(platform, '/account/index'))
  await page.getByText('zhangwei').first().waitFor()
  await page.getByText('供应商').first().waitFor()
  expect(new URL(page.url()).search).toBe('')

  await accountMenu(page).click()
  await page.getByText('退出登录').last().click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL(addressOf(platform, '/user/login'))
  // The provider asks again: it has forgotten him, too.
  await page.getByRole('button', { name: '通过 集团认证 登录' }).click()
  await page.getByLabel('Account').waitFor()

  await admin.goto(addressOf(platform, `${path}`))
  await row(admin, '集团认证').getByRole('button', { name: '1', exact: true }).click()
  const people = dialog(admin, '「集团认证」的企业账号')
  await people.getByText('u-1001').waitFor()
  await people.getByText('没有密码').waitFor()
  await photograph(admin, 'people')
})

test('a session that ends over a draft goes on by the provider, in a page beside it', async () => {
  const page = await openPage(browser, platform, { allowErrors: [answered(401)], elsewhere: [provider.issuer] })
  await page.goto(addressOf(platform, '/user/login'))
  await signInAtProvider(page)
  const question = await loseSession(page, platform, await makeCaller(platform, administrator), '老张')
  await photograph(page, 'again')
  const opened = page.context().waitForEvent('page')
  await question.getByRole('link', { name: '通过 集团认证 登录' }).click()
  // The provider still knows him, and asks nothing.
  const beside = await opened
  await beside.getByText('请关闭这个页面，回到原来的页面继续。').waitFor()
  await photograph(beside, 'beside')
  expect(await beside.evaluate(() => window.opener)).toBeNull()
  await saveKept(page, question, '老张')
})

test('on a phone and in English the button names the provider in English', async () => {
  const page = await openPage(browser, platform, { viewport: pocket })
  await page.goto(`${addressOf(platform, '/user/login')}?lang=en`)
  await page.getByRole('button', { name: 'Sign in with Acme ID' }).waitFor()
  await photograph(page, 'phone-en')
})

test('the stored secret is taken away in the form, for a client that needs none', async () => {
  const page = await openPage(browser, platform)
  await signInAt(page, platform, path)
  await row(page, '集团认证').getByRole('button', { name: '集团认证' }).click()
  const edit = dialog(page, '编辑企业登录「集团认证」')
  await edit.getByRole('checkbox', { name: '清除已保存的密钥' }).check()
  expect(await edit.getByLabel('客户端密钥').isDisabled()).toBe(true)
  await photograph(page, 'clear-secret')
  await submit(edit)
  await told(page, '更新成功')
  const call = await makeCaller(platform, administrator)
  expect((await call(listProviders, {})).list).toMatchObject([{ key: 'acme', hasSecret: false }])
  await row(page, '集团认证').getByRole('button', { name: '集团认证' }).click()
  await edit.getByLabel('客户端密钥').and(edit.getByPlaceholder('未设置')).waitFor()
  expect(await edit.getByRole('checkbox', { name: '清除已保存的密钥' }).count()).toBe(0)
})
