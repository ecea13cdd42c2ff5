/** Remote configuration as an operator lives with it: written, sent, changed, compared, taken back (screens.md 20). */
import { createConfig } from '@ithings/contract/features/remote-config.ts'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Caller, makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import type { DeviceKey } from '#device.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { makePlant, makePump, productName } from '#pump-plant.ts'
import { act, confirmWith, dialog, row, told, writeCode } from '#screens.ts'
import { administrator, knownAdmin, signInAt } from '#sign-in.ts'
import { type SimulatedDevice, simulate } from '#simulated.ts'
import { openPage, pocket, soon } from '#visit.ts'

const path = '/operationsMonitorings/remoteConfiguration/index'
const first = '{\n  "interval": 10,\n  "limits": { "hot": 80 }\n}'
const second = '{\n  "interval": 30,\n  "limits": { "hot": 80 }\n}'

let platform: Platform
let browser: Browser
let call: Caller
let there: DeviceKey
let away: DeviceKey

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
  call = await makeCaller(platform, administrator)
  await makePlant(call)
  there = await makePump(call, 'P-0001', '朝阳北路一号泵')
  away = await makePump(call, 'P-0002', '朝阳北路二号泵')
})
afterAll(async () => {
  if (platform) await discard(platform)
})

async function connected(key: DeviceKey): Promise<SimulatedDevice> {
  const device = await simulate(platform, call, key)
  onTestFinished(() => device.stop())
  return device
}

const editor = (page: Page): Locator => page.getByRole('textbox', { name: '配置内容' })
const saveButton = (page: Page): Locator => page.getByRole('button', { name: /保存为新版本$/ })
const pushButton = (page: Page): Locator => page.getByRole('button', { name: /下发$/ })
const tab = (page: Page, name: string) => page.getByRole('tab', { name }).click()

async function save(page: Page, content: string, note: string, version: number) {
  await writeCode(editor(page), content)
  await page.getByLabel('版本说明').fill(note)
  await saveButton(page).click()
  await told(page, `已保存为版本 ${version}`)
}

/** To all devices of the product; the detail of the push is open afterwards. */
async function push(page: Page, devices: number): Promise<Locator> {
  await pushButton(page).click()
  const form = dialog(page, '下发远程配置')
  await form
    .getByRole('status', { name: '下发预览' })
    .filter({ hasText: `将影响 ${devices} 台设备` })
    .waitFor()
  await form.getByRole('button', { name: `下发到 ${devices} 台设备` }).click()
  await form.waitFor({ state: 'hidden' })
  return dialog(page, /^下发 \d+$/)
}

const stateOf = (detail: Locator, device: string, state: string) =>
  detail.getByRole('row', { name: new RegExp(`${device}.*${state}`) }).waitFor()

const close = async (drawer: Locator) => {
  await drawer
    .getByRole('button', { name: 'Close' })
    .or(drawer.getByRole('button', { name: '关闭' }))
    .first()
    .click()
  await drawer.waitFor({ state: 'hidden' })
}

test('a configuration reaches a connected device at once and an absent one when it comes; an old one is brought back', async () => {
  const pump = await connected(there)
  const page = await openPage(browser, platform)
  await signInAt(page, platform, path)
  await page.getByRole('heading', { name: productName, level: 2 }).waitFor()
  expect(await pushButton(page).isDisabled()).toBe(true)

  // What is no JSON object cannot be saved.
  await writeCode(editor(page), '[1, 2]')
  await page.getByText('必须是 JSON 对象').waitFor()
  expect(await saveButton(page).isDisabled()).toBe(true)

  await save(page, first, '初版', 1)
  const detail = await push(page, 2)
  await stateOf(detail, 'P-0001', '已送达')
  await stateOf(detail, 'P-0002', '等待送达')
  await soon(() => pump.configuration).toBe(first)
  const late = await connected(away)
  await soon(() => late.configuration).toBe(first)
  await stateOf(detail, 'P-0002', '已送达')
  await detail.getByText('已完成', { exact: true }).first().waitFor()
  await close(detail)

  await tab(page, '编辑')
  await writeCode(editor(page), second)
  await page.getByRole('button', { name: '查看改动' }).click()
  const draft = dialog(page, '草稿与当前版本的差异')
  await soon(() => draft.locator('.cm-changedLine').allTextContents()).toEqual([
    '  "interval": 10,',
    '  "interval": 30,',
  ])
  await close(draft)
  await page.getByRole('button', { name: '下发已保存的版本 1' }).waitFor()
  await save(page, second, '上报放慢', 2)
  const again = await push(page, 2)
  await stateOf(again, 'P-0001', '已送达')
  await soon(() => [pump.configuration, late.configuration]).toEqual([second, second])
  await close(again)

  await tab(page, '版本')
  await row(page, /^2 当前.*上报放慢/).waitFor()
  await act(page, /^1 .*初版/, '对比')
  const compared = dialog(page, '版本 1 与当前版本 2 的差异')
  await soon(() => compared.locator('.cm-changedLine').allTextContents()).toEqual([
    '  "interval": 10,',
    '  "interval": 30,',
  ])
  await close(compared)
  await act(page, /^1 .*初版/, '恢复')
  await confirmWith(page, '把版本 1 恢复为新版本？', '恢复')
  await told(page, '已恢复为版本 3')
  await row(page, /^3 当前.*恢复自版本 1/).waitFor()
  // Restoring alone changes nothing on devices.
  expect(pump.configuration).toBe(second)
  const back = await push(page, 2)
  await stateOf(back, 'P-0002', '已送达')
  await soon(() => [pump.configuration, late.configuration]).toEqual([first, first])
  await close(back)

  await tab(page, '设备')
  await row(page, /P-0001.*在线.*最新.*3/).waitFor()
  await row(page, /P-0002.*在线.*最新.*3/).waitFor()
})

test('a device that was away during the change asks for the newest version; a phone shows who has it', async () => {
  const content = '{"interval":60}'
  await call(createConfig, { productID: there.productID, content })
  const pump = await connected(there)
  await soon(() => pump.configuration).toBe(content)
  const page = await openPage(browser, platform, { viewport: pocket })
  await signInAt(page, platform, path)
  await page.getByRole('button', { name: new RegExp(`${productName}.*已配置`) }).click()
  await tab(page, '设备')
  await page.getByText('P-0001').waitFor()
  const width = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  expect(await width()).toBe(0)
})
