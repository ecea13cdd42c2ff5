/** Somebody who reads no Chinese: the whole console in English, and the way from one language to the other. */
import { createProduct } from '@ithings/contract/features/products.ts'
import { updateSelf } from '@ithings/contract/features/users.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { chineseOn, english, signInInEnglish } from '#english.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { administrator, knownAdmin, signInAt, signInHere } from '#sign-in.ts'
import { addressOf, answered, holdCalls, openPage } from '#visit.ts'

let platform: Platform
let browser: Browser

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
  const call = await makeCaller(platform, administrator)
  await call(createProduct, { productName: 'Pump station', deviceType: 1 })
})
afterAll(() => discard(platform))

test('the browser decides at first, then the choice, which the server remembers; an open form stays', async () => {
  const page = await openPage(browser, platform, english)
  await signInInEnglish(page, platform)
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

  // What is chosen before signing in counts, too, and is told to the server.
  const before = await openPage(browser, platform, english)
  await before.goto(addressOf(platform, '/user/login'))
  await before.getByRole('button', { name: '简体中文' }).click()
  await signInHere(before)
  await before.getByRole('heading', { name: '产品', level: 1 }).waitFor()
  await expect.poll(() => before.evaluate(() => sessionStorage.getItem('iThings-language-untold'))).toBeNull()
  await elsewhere.reload()
  await elsewhere.getByRole('heading', { name: '产品', level: 1 }).waitFor()

  // A page that is left before the server has heard the choice tells it later, whatever the address asks for.
  const telling = await holdCalls(elsewhere, updateSelf)
  await elsewhere.getByRole('button', { name: 'English' }).click()
  await elsewhere.getByRole('heading', { name: 'Products', level: 1 }).waitFor()
  await telling.asked
  await elsewhere.goto(`${addressOf(platform, '/deviceMangers/product/index')}?lang=zh`)
  telling.release()
  await elsewhere.getByRole('heading', { name: '产品', level: 1 }).waitFor()
  await expect.poll(() => elsewhere.evaluate(() => sessionStorage.getItem('iThings-language-untold'))).toBeNull()
})

test('a refusal of the server is said in English', async () => {
  const page = await openPage(browser, platform, { ...english, allowErrors: [answered(400)] })
  await signInInEnglish(page, platform)
  await page.getByRole('button', { name: 'Add product', exact: true }).click()
  const form = page.getByRole('dialog', { name: 'Add product' })
  await form.getByLabel('Product name').fill('Pump station')
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await form.getByText(/already/).waitFor()
})

test('a Chinese character is found wherever it is read or heard', async () => {
  const page = await openPage(browser, platform, english)
  await page.goto(`${platform.origin}/api/docs`)
  expect(await chineseOn(page)).toEqual([])
  const found = async (content: string) => {
    await page.evaluate((html) => {
      document.body.innerHTML = html
    }, content)
    return chineseOn(page)
  }
  expect(await found('<p>保存</p>')).toEqual(['保存'])
  expect(await found('<button aria-label="保存">×</button>')).toEqual(['保存'])
  expect(await found('<input placeholder="名称" />')).toEqual(['名称'])
  expect(await found('<img alt="水泵" />')).toEqual(['水泵'])
  expect(await found('<style>p::after { content: "台" }</style><p>3</p>')).toEqual(['台'])
  expect(await found('<style>p::before { content: attr(data-label) }</style><p data-label="状态"></p>')).toEqual([
    '状态',
  ])
  await page.evaluate(() => window.walkMessages.push('已保存'))
  expect(await found('<p>Save</p>')).toEqual(['已保存'])
})
