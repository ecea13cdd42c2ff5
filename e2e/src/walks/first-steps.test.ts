/** From an empty platform to the first value of an own device, following nothing but the card. */
import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { launchBrowser } from '#browser.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { dialog, row, submit } from '#screens.ts'
import { measure, watchShift } from '#settled.ts'
import { administrator, firstScreen, knownAdmin, signInAt } from '#sign-in.ts'
import { openPage, pocket, soon } from '#visit.ts'

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

/** The card on the product list, the line on all other screens. */
const guide = (page: Page) => page.getByLabel('接入第一台设备')
const photograph = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: `${shots}/first-steps-${name}.png`, fullPage: true })
}
const progress = (page: Page) => guide(page).getByRole('status')

async function makeProduct(page: Page) {
  await guide(page).getByRole('button', { name: '新增产品', exact: true }).last().click()
  const form = dialog(page, '新增产品')
  await form.getByLabel('产品名称').fill('水泵站')
  await submit(form, '创建')
  await dialog(page, '产品已创建，接下来').getByRole('button', { name: '稍后再说' }).click()
  await soon(() => progress(page).textContent()).toBe('已完成 1 / 5')
}

async function makeModel(page: Page) {
  await guide(page).getByRole('button', { name: '定义物模型', exact: true }).last().click()
  await page.getByRole('button', { name: '新增功能' }).first().click()
  const form = dialog(page, /^新增属性/)
  await form.getByLabel(/^功能名称/).fill('压力')
  await form.getByLabel(/^标识符/).fill('pressure')
  await form.getByLabel('数据类型', { exact: true }).first().getByText('浮点型', { exact: true }).click()
  await submit(form)
  await row(page, 'pressure').waitFor()
  // The model's page shows the line: it knows that this step is done.
  await soon(() => progress(page).textContent()).toMatch(/2 \/ 5，下一步：\s*新增设备/)
  await photograph(page, 'bar')
}

async function makeDevice(page: Page) {
  await guide(page).getByRole('link', { name: '去新增设备' }).click()
  await page.getByRole('button', { name: '新增设备' }).first().click()
  const form = dialog(page, '新增设备')
  await form.getByLabel('设备名称').fill('pump1')
  await form.getByRole('button', { name: /^(创建|保存|确定)$/ }).click()
  await form.waitFor({ state: 'hidden' })
  await soon(() => progress(page).textContent()).toMatch(/3 \/ 5，下一步：\s*连接设备/)
}

/** What the copy button of the card gives is run as it is. */
async function runNodeProgram(page: Page) {
  await guide(page).getByRole('tab', { name: 'Node.js' }).click()
  await guide(page).locator('dl').getByRole('button', { name: '查看密钥' }).click()
  const copy = guide(page).getByRole('button', { name: '复制 Node.js 程序（含设备密钥）' })
  const shown = () => guide(page).getByRole('tabpanel').textContent()
  await soon(shown).toContain("deviceSecret = '••••••••'")
  await copy.click()
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await soon(copied).toContain('pressure')
  const program = await copied()
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { cwd: root, stdio: 'inherit' })
  onTestFinished(() => void child.kill())
}

// Before anything is on the platform.
test('put away, the card stays away in this browser only', async () => {
  const page = await openPage(browser, platform, { viewport: pocket, dark: true })
  await watchShift(page)
  await signInAt(page, platform, firstScreen)
  await soon(() => progress(page).textContent()).toBe('已完成 0 / 5')
  await page.getByText('还没有产品').waitFor()
  // A first visit: what can be clicked was not there before the card, and does not move for it.
  expect((await measure(page)).shift).toBeLessThan(0.05)
  await photograph(page, 'empty-phone-dark')
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true)
  await guide(page).getByRole('button', { name: '不再显示' }).click()
  await soon(() => guide(page).count()).toBe(0)
  await page.reload()
  await page.getByRole('heading', { name: '产品', exact: true }).waitFor()
  expect(await guide(page).count()).toBe(0)

  // Another browser is led, on every screen, and there too nothing moves for it.
  const stranger = await openPage(browser, platform)
  await watchShift(stranger)
  await signInAt(stranger, platform, '/systemMangers/user/index')
  await guide(stranger).getByRole('link', { name: '去新增产品' }).waitFor()
  await row(stranger, administrator.account).waitFor()
  expect((await measure(stranger)).shift).toBeLessThan(0.05)
})

test('the card leads from nothing to the first value and ticks itself off', async () => {
  const page = await openPage(browser, platform)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: platform.origin })
  await signInAt(page, platform, firstScreen)
  await soon(() => progress(page).textContent()).toBe('已完成 0 / 5')
  await photograph(page, 'empty')
  await makeProduct(page)
  await makeModel(page)
  await makeDevice(page)
  await guide(page).getByRole('link', { name: '去连接设备' }).click()
  await guide(page)
    .getByText(platform.mqttUrl.replace(/^mqtt:\/\/[^:]+/, 'mqtt://127.0.0.1'))
    .waitFor()
  await photograph(page, 'connect')
  await runNodeProgram(page)
  await guide(page).getByRole('heading', { name: '第一台设备已经接入' }).waitFor()
  await soon(() => progress(page).textContent()).toBe('已完成 5 / 5')
  await photograph(page, 'done')
  await guide(page).getByRole('button', { name: '查看设备状态' }).click()
  await page.getByText('压力').first().waitFor()
  // Nobody needs it any more.
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  await soon(() => guide(page).count()).toBe(0)
})

test('from nothing to a value that moves by itself a new product takes fourteen clicks at most', async () => {
  const page = await openPage(browser, platform)
  await signInAt(page, platform, firstScreen)
  let clicks = 0
  const click = async (target: Locator) => {
    clicks += 1
    await target.click()
  }
  // The form is typed into as it opens: whatever would have to be clicked first fails here.
  const type = async (field: Locator, text: string) => {
    await field.and(page.locator(':focus')).waitFor()
    await page.keyboard.type(text)
  }
  await click(page.getByRole('button', { name: '新增产品', exact: true }).first())
  const product = dialog(page, '新增产品')
  await type(product.getByLabel('产品名称'), '增压泵')
  await click(product.getByRole('button', { name: '创建', exact: true }))
  await click(page.getByRole('button', { name: '去定义', exact: true }))
  await click(page.getByRole('button', { name: '新增功能' }).first())
  const property = dialog(page, /^新增属性/)
  await type(property.getByLabel(/^功能名称/), '压力')
  await click(property.getByLabel(/^标识符/))
  await page.keyboard.type('boost')
  await click(property.getByLabel('数据类型', { exact: true }).first().getByText('浮点型', { exact: true }))
  await click(property.getByRole('button', { name: '保存', exact: true }))
  await row(page, 'boost').waitFor()
  await property.waitFor({ state: 'hidden' })
  await click(page.getByRole('tab', { name: '设备列表' }))
  await click(page.getByRole('button', { name: '新增设备' }))
  const device = dialog(page, '新增设备')
  await type(device.getByLabel('设备名称'), 'boost1')
  await click(device.getByRole('button', { name: '创建并模拟' }))
  await page.getByRole('tab', { name: '设备状态', selected: true }).waitFor()
  await page.getByText(/[\d.]+ → [\d.]+/).waitFor()
  expect(clicks).toBeLessThanOrEqual(14)
})
