/** Ctrl+K: everything that has a name, by keyboard, on a desk and in a pocket. */
import { mkdir } from 'node:fs/promises'
import { createDevice, listDevices } from '@ithings/contract/features/devices/info.ts'
import { createGroup } from '@ithings/contract/features/groups.ts'
import { createProduct } from '@ithings/contract/features/products.ts'
import { searchAll } from '@ithings/contract/features/search.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { administrator, firstScreen, knownAdmin, signInAt } from '#sign-in.ts'
import { addressOf, answered, holdCalls, openPage, pocket, soon } from '#visit.ts'

const productID = 'StationEast'
const shots = process.env.SHOTS

let platform: Platform
let browser: Browser

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
  const call = await makeCaller(platform, administrator)
  await call(createProduct, { productID, productName: '城东水泵站' })
  for (const [deviceName, deviceAlias] of [
    ['pump-1', '一号水泵'],
    ['pump-12', '十二号水泵'],
    ['old-pump', ''],
  ] as const) {
    await call(createDevice, { productID, deviceName, deviceAlias })
  }
  await call(createGroup, { groupName: '水泵检修' })
  await call(listDevices, {})
  if (shots) await mkdir(shots, { recursive: true })
})
afterAll(async () => {
  if (platform) await discard(platform)
})

const panel = (page: Page) => page.getByRole('dialog', { name: '全局搜索' })
const field = (page: Page) => panel(page).getByRole('combobox', { name: '搜索' })
const options = (page: Page) => panel(page).getByRole('option')
const chosen = (page: Page) => panel(page).locator('[aria-selected="true"]').textContent()
const photograph = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: `${shots}/search-${name}.png` })
}

test('a device is found and opened without the mouse, and is at hand the next time', async () => {
  const page = await openPage(browser, platform)
  await signInAt(page, platform, firstScreen)
  await page.getByRole('heading', { name: '产品', exact: true }).waitFor()
  await page.keyboard.press('Control+k')
  await field(page).waitFor()
  await photograph(page, 'start')
  await page.keyboard.type('pump')
  await soon(() => options(page).allTextContents()).toEqual([
    '一号水泵pump-1 · 城东水泵站',
    '十二号水泵pump-12 · 城东水泵站',
    'old-pump城东水泵站',
  ])
  await soon(() => panel(page).locator('mark').allTextContents()).toEqual(['pump', 'pump', 'pump'])
  await photograph(page, 'found')
  await soon(() => chosen(page)).toContain('一号水泵')
  await page.keyboard.press('ArrowDown')
  await soon(() => chosen(page)).toContain('十二号水泵')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await soon(() => chosen(page)).toContain('old-pump')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForURL(addressOf(platform, `/deviceMangers/device/detail/${productID}/pump-1/1`))
  await soon(() => panel(page).count()).toBe(0)

  await page.getByRole('button', { name: /^搜索/ }).click()
  await panel(page).getByText('最近打开', { exact: true }).waitFor()
  await soon(() => chosen(page)).toContain('一号水泵')
  await page.keyboard.press('Escape')
  await soon(() => panel(page).count()).toBe(0)
})

test('one word finds products, devices, groups and screens; a screen is opened by it', async () => {
  const page = await openPage(browser, platform, { dark: true })
  await signInAt(page, platform, firstScreen)
  await page.getByRole('button', { name: /^搜索/ }).click()
  await field(page).fill('水泵')
  await soon(() => panel(page).locator('.search-group').allTextContents()).toEqual(['产品', '设备', '分组'])
  await photograph(page, 'kinds-dark')
  await field(page).fill('固件')
  await soon(() => options(page).allTextContents()).toEqual(['固件升级运维监控', '固件包管理运维监控'])
  await options(page).last().click()
  await page.waitForURL(addressOf(platform, '/operationsMonitorings/firmwareManger/index'))
})

test('whoever types on and presses Enter at once opens what will be found, not what was found before', async () => {
  const page = await openPage(browser, platform)
  await signInAt(page, platform, firstScreen)
  await page.getByRole('button', { name: /^搜索/ }).click()
  await field(page).fill('pump-1')
  await soon(() => chosen(page)).toContain('一号水泵')
  const { asked, release } = await holdCalls(page, searchAll)
  await page.keyboard.type('2')
  await page.keyboard.press('Enter')
  await asked
  expect(await panel(page).count()).toBe(1)
  release()
  await page.waitForURL(addressOf(platform, `/deviceMangers/device/detail/${productID}/pump-12/1`))
  await soon(() => panel(page).count()).toBe(0)
})

test('nothing found, and a search that fails, say so; the failed one can be tried again', async () => {
  const page = await openPage(browser, platform, { allowErrors: [answered(500)] })
  await signInAt(page, platform, firstScreen)
  await page.getByRole('button', { name: /^搜索/ }).click()
  await field(page).fill('没有这个词')
  await panel(page).getByText('没有找到“没有这个词”').waitFor()
  await page.route(`**${searchAll.path}`, (route) =>
    route.fulfill({ status: 500, json: { code: 100007, msg: '平台内部错误' } }),
  )
  await field(page).fill('pump-12')
  await panel(page).getByText('搜索结果加载失败').waitFor()
  await page.unroute(`**${searchAll.path}`)
  await panel(page).getByRole('button', { name: '重试' }).click()
  await soon(() => options(page).allTextContents()).toEqual(['十二号水泵pump-12 · 城东水泵站'])
})

test('in a pocket the search has the whole screen', async () => {
  const page = await openPage(browser, platform, { viewport: pocket })
  await signInAt(page, platform, firstScreen)
  await page.getByRole('button', { name: '搜索', exact: true }).click()
  await field(page).fill('水泵')
  await soon(() => options(page).count()).toBe(4)
  await photograph(page, 'phone')
  const box = await panel(page).locator('.search-panel').boundingBox()
  expect(box).toMatchObject({ x: 0, y: 0, width: pocket.width, height: pocket.height })
  await panel(page).getByRole('button', { name: '取消' }).click()
  await soon(() => panel(page).count()).toBe(0)
})
