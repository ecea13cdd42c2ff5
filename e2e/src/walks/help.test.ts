/** The guides that come with the console: read, searched and copied from, without a request to anybody. */
import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { createDevice, readDevice } from '@ithings/contract/features/devices/info.ts'
import { listLatest } from '@ithings/contract/features/history.ts'
import { createProduct } from '@ithings/contract/features/products.ts'
import { importTsl } from '@ithings/contract/features/thing-model.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { administrator, giveSession, knownAdmin, signInAt } from '#sign-in.ts'
import { addressOf, openPage, pocket, soon } from '#visit.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const shots = process.env.SHOTS

let platform: Platform
let browser: Browser

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
  if (shots) await mkdir(shots, { recursive: true })
})
afterAll(async () => {
  if (platform) await discard(platform)
})

const photograph = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: `${shots}/help-${name}.png` })
}
const isInView = (page: Page, heading: string) =>
  page.getByRole('heading', { name: heading, exact: true }).evaluate((element) => {
    const { top } = element.getBoundingClientRect()
    return top >= 0 && top < window.innerHeight
  })

test('the help of a screen opens at what is said about it; contents and links between guides lead on', async () => {
  const page = await openPage(browser, platform)
  await signInAt(page, platform, '/deviceMangers/group/index')
  await page.getByRole('link', { name: '帮助', exact: true }).click()
  await page.getByRole('heading', { name: '11. 分组', exact: true }).waitFor()
  await soon(() => isInView(page, '11. 分组')).toBe(true)
  await photograph(page, 'section')
  const contents = page.getByRole('navigation', { name: '目录' })
  await soon(() => contents.locator('[aria-current]').textContent()).toBe('11. 分组')
  await contents.getByRole('link', { name: '16. 模拟设备' }).click()
  await soon(() => isInView(page, '16. 模拟设备')).toBe(true)

  await page.getByRole('navigation', { name: '手册' }).getByRole('link', { name: '设备接入手册' }).click()
  await page.getByRole('heading', { name: '设备接入手册', level: 1 }).waitFor()
  await page.getByRole('article').getByRole('link', { name: '操作手册' }).first().click()
  await page.waitForURL(/\/help\/operator-guide#/)
  await soon(() => isInView(page, '16. 模拟设备')).toBe(true)
})

test('the search reads all guides and leads to the section', async () => {
  const page = await openPage(browser, platform, { dark: true })
  await signInAt(page, platform, '/help/operator-guide')
  await page.getByLabel('搜索手册').fill('CONNACK 签名')
  const hits = page.getByLabel('搜索结果')
  await hits.getByRole('link', { name: /^拒绝连接/ }).waitFor()
  await photograph(page, 'search-dark')
  await hits.getByRole('link', { name: /^拒绝连接/ }).click()
  await page.waitForURL(/\/help\/device-guide#/)
  await soon(() => isInView(page, '拒绝连接')).toBe(true)
  await page.getByLabel('搜索手册').fill('绝对没有的词')
  await page.getByText('手册里没有“绝对没有的词”').waitFor()
})

test('in English the guides are English; another language shows the same place of its guide', async () => {
  const page = await openPage(browser, platform, { locale: 'en-US' })
  await giveSession(page, platform)
  await page.goto(addressOf(platform, '/deviceMangers/group/index'))
  await page.getByRole('link', { name: 'Help', exact: true }).click()
  await page.waitForURL(/\/help\/operator-guide#11-groups$/)
  await soon(() => isInView(page, '11. Groups')).toBe(true)
  await page.getByLabel('Search guides').fill('hmacsha256 connid')
  await page
    .getByLabel('Search results')
    .getByRole('link', { name: /Device guide/ })
    .first()
    .waitFor()
  await photograph(page, 'search-english')
  // What is found within a word does not pull it apart.
  await page.getByLabel('Search guides').fill('alarm')
  await page
    .getByLabel('Search results')
    .getByRole('link', { name: /Alarms and notifications/ })
    .first()
    .waitFor()
  await page.getByLabel('Search guides').fill('')
  await page.getByRole('button', { name: '简体中文' }).click()
  await page.waitForURL((url) => decodeURIComponent(url.hash) === '#11-分组')
  await soon(() => isInView(page, '11. 分组')).toBe(true)
})

/** The property that the guide tells its reader to add. */
const model = {
  properties: [
    { identifier: 'pressure', name: '压力', mode: 'r', define: { type: 'float', min: '0', max: '2', step: '0.01' } },
  ],
}

test('the Node program of the guide connects a device and reports its first value', async () => {
  const call = await makeCaller(platform, administrator)
  const key = { productID: 'StationEast', deviceName: 'pump1' }
  await call(createProduct, { productID: key.productID, productName: '城东水泵站' })
  await call(importTsl, { productID: key.productID, tsl: JSON.stringify(model) })
  await call(createDevice, key)
  const { secret } = await call(readDevice, key)

  const page = await openPage(browser, platform)
  await signInAt(page, platform, '/help/device-guide')
  const program = await page.locator('.guide-code pre').filter({ hasText: 'mqtt.connect(url' }).textContent()
  // As its reader would: with the own address and identity.
  const own = (program ?? '')
    .replace("'mqtt://127.0.0.1:1883'", `'${platform.mqttUrl}'`)
    .replace("'254pwnKQsvK'", `'${key.productID}'`)
    .replace("'AAECAwQFBgcICQoLDA0ODxAREhM='", `'${secret}'`)
  const child = spawn(process.execPath, ['--input-type=module', '-e', own], { cwd: root, stdio: 'inherit' })
  onTestFinished(() => void child.kill())
  const value = async () => (await call(listLatest, key)).list.find(({ dataID }) => dataID === 'pressure')?.value
  await soon(value).toBe('0.42')
})

test('programs are copied whole', async () => {
  const page = await openPage(browser, platform)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: platform.origin })
  await signInAt(page, platform, '/help/device-guide')
  await page.getByRole('heading', { name: 'Python', exact: true }).waitFor()
  const block = page.locator('.guide-code').filter({ hasText: 'import paho.mqtt.client' })
  await block.getByRole('button', { name: '复制代码' }).click()
  const shown = (await block.locator('pre').textContent()) ?? ''
  await soon(() => page.evaluate(() => navigator.clipboard.readText())).toBe(shown)
  expect(shown.split('\n').length).toBeGreaterThan(15)
})

test('in a pocket the contents fold away and nothing scrolls sideways; a strange address says so', async () => {
  const page = await openPage(browser, platform, { viewport: pocket })
  await signInAt(page, platform, '/help/device-guide')
  await page.getByRole('heading', { name: '设备接入手册', level: 1 }).waitFor()
  await photograph(page, 'phone')
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  await page.getByRole('button', { name: /目录/ }).click()
  await page.getByRole('navigation', { name: '目录' }).getByRole('link', { name: '10. 错误码' }).click()
  await soon(() => isInView(page, '10. 错误码')).toBe(true)
  await page.goto(addressOf(platform, '/help/nothing'))
  await page.getByText('没有这本手册').waitFor()
})
