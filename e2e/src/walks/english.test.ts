/** Somebody who reads no Chinese: the whole console in English, and the way from one language to the other. */
import { createProduct } from '@ithings/contract/features/products.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { chineseOn, english, everydayPlaces, signInInEnglish } from '#english.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { watchRest } from '#settled.ts'
import { administrator, knownAdmin, signInAt, signInHere } from '#sign-in.ts'
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
  await elsewhere.getByRole('button', { name: 'English' }).click()
  await elsewhere.getByRole('heading', { name: 'Products', level: 1 }).waitFor()
  await elsewhere.goto(`${addressOf(platform, '/deviceMangers/product/index')}?lang=zh`)
  await elsewhere.getByRole('heading', { name: '产品', level: 1 }).waitFor()
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

test('no Chinese character is left on the screens of every day', async () => {
  const page = await openPage(browser, platform, english)
  const rest = watchRest(page)
  await signInInEnglish(page, platform)
  const found: string[] = []
  for (const path of everydayPlaces) {
    await goInside(page, platform, path)
    await rest()
    for (const line of await chineseOn(page)) found.push(`${path}: ${line}`)
  }
  expect(found).toEqual([])
})
