/** Somebody who reads no Chinese: the whole console in English, and the way from one language to the other. */
import { createProduct } from '@ithings/contract/features/products.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { watchRest } from '#settled.ts'
import { administrator, knownAdmin, signInAt } from '#sign-in.ts'
import { addressOf, answered, goInside, openPage } from '#visit.ts'

let platform: Platform
let browser: Browser

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
  const call = await makeCaller(platform, administrator)
  await call(createProduct, { productName: 'Pump station', deviceType: 1 })
})
afterAll(() => discard(platform))

const english = { locale: 'en-US' }

async function signInInEnglish(page: Page): Promise<void> {
  await page.goto(addressOf(platform, '/user/login'))
  await page.getByLabel('Username', { exact: true }).fill(administrator.account)
  await page.getByLabel('Password', { exact: true }).fill(administrator.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'Products', level: 1 }).waitFor()
}

test('the browser decides at first, then the choice, which the server remembers; an open form stays', async () => {
  const page = await openPage(browser, platform, english)
  await signInInEnglish(page)
  expect(await page.locator('html').getAttribute('lang')).toBe('en-US')
  await expect.poll(() => page.title()).toMatch(/^Products - /)
  await page.getByRole('button', { name: 'Add product', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Product name').fill('Half written')
  await page.evaluate(() => document.querySelector<HTMLElement>('.header-language')?.click())
  await page.getByRole('heading', { name: '产品', level: 1 }).waitFor()
  expect(await page.getByRole('dialog').getByLabel('产品名称').inputValue()).toBe('Half written')
  expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN')

  // Another browser that speaks English follows what the user chose.
  const elsewhere = await openPage(browser, platform, english)
  await signInAt(elsewhere, platform, '/deviceMangers/product/index')
  await elsewhere.getByRole('heading', { name: '产品', level: 1 }).waitFor()
  await elsewhere.getByRole('button', { name: 'English' }).click()
  await elsewhere.getByRole('heading', { name: 'Products', level: 1 }).waitFor()
  await elsewhere.goto(`${addressOf(platform, '/deviceMangers/product/index')}?lang=zh`)
  await elsewhere.getByRole('heading', { name: '产品', level: 1 }).waitFor()
})

test('a refusal of the server is said in English', async () => {
  const page = await openPage(browser, platform, { ...english, allowErrors: [answered(400)] })
  await signInInEnglish(page)
  await page.getByRole('button', { name: 'Add product', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Add product' })
  await form.getByLabel('Product name').fill('Pump station')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await form.getByText(/already/).waitFor()
})

const places = [
  ...['product/index', 'device/index', 'group/index', 'createDeviceTask/index'].map((path) => `/deviceMangers/${path}`),
  ...['firmwareUpgrade', 'firmwareManger', 'remoteConfiguration', 'onlineDebugs', 'logService'].map(
    (path) => `/operationsMonitorings/${path}/index`,
  ),
  ...['/ruleEngine/scene/index', '/ruleEngine/scene/detail?type=device', '/home', '/account/index'],
  ...['alarmConfiguration/index', 'alarmConfiguration/log', 'alarmConfiguration/save', 'notify/index'].map(
    (path) => `/alarmMangers/${path}`,
  ),
  ...['/systemMangers/setting/index', '/systemMangers/cluster/index'],
]
/** The other language, in its own, and the name that the administrator has from the start. */
const allowed = new Set(['简体中文', '管', '管理员'])

test('no Chinese character is left on the screens of every day', async () => {
  const page = await openPage(browser, platform, english)
  const rest = watchRest(page)
  await signInInEnglish(page)
  const found: string[] = []
  for (const path of places) {
    await goInside(page, platform, path)
    await rest()
    const words = await page.locator('body').innerText()
    for (const line of words.split('\n'))
      if (/\p{Script=Han}/u.test(line) && !allowed.has(line)) found.push(`${path}: ${line}`)
  }
  expect(found).toEqual([])
})
