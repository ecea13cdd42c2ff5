/**
 * The five ways through the platform as somebody who reads no Chinese goes them: the demo, a product with a device, a value
 * that moves, a scene with an alarm, an upgrade. No screen on the way has a Chinese character, and no other one either.
 */
import { randomBytes } from 'node:crypto'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { chineseOn, english, signInInEnglish } from '#english.ts'
import { readFleetFacts } from '#fleet-facts.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { overEdge } from '#pseudo-language.ts'
import { act, choose, dialog, row, submit, told } from '#screens.ts'
import { forgetShift, measure, shiftLimit, watchRest, watchShift } from '#settled.ts'
import { administrator, giveSession, knownAdmin, signInAt } from '#sign-in.ts'
import { stopsOf } from '#stops.ts'
import { addressOf, answered, desk, goInside, goToScreen, openPage, pocket, type VisitOptions } from '#visit.ts'

/** On a machine that does other work meanwhile. */
const longest = 600_000
const productName = 'Pump station'

let platform: Platform
let browser: Browser

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
})
afterAll(async () => {
  if (platform) await discard(platform)
})

/** Whatever is on the page and in what lies over it, but for what the server is known to say in Chinese still. */
async function readable(page: Page): Promise<void> {
  expect(await chineseOn(page)).toEqual([])
}

async function visit(path: string, title: string, options: VisitOptions = english): Promise<Page> {
  const page = await openPage(browser, platform, options)
  await giveSession(page, platform)
  await page.goto(addressOf(platform, path))
  await page.getByRole('heading', { name: title, level: 1 }).waitFor()
  await readable(page)
  return page
}

const settingPath = '/systemMangers/setting/index'

/** While 176 devices sign in at the same moment, a busy machine may turn a call away; the screen asks again. */
const crowded = { ...english, allowErrors: [answered(503)] }

async function pressDemo(page: Page, button: string, answer: string, after: Locator): Promise<void> {
  await goToScreen(page, platform, settingPath, 'System settings')
  await page.getByRole('region', { name: 'Demo data' }).getByRole('button', { name: button }).click()
  await readable(page)
  await page.getByRole('dialog').getByRole('button', { name: answer, exact: true }).click()
  await after.waitFor({ timeout: longest })
  await readable(page)
}

/** Somebody who reads Chinese, on a phone by night, sees what has become of it, and is asked before he changes it. */
async function phoneSees(said: string | undefined, button: string, answer: RegExp): Promise<Page> {
  const phone = await openPage(browser, platform, { viewport: pocket, dark: true, allowErrors: [answered(503)] })
  await signInAt(phone, platform, settingPath)
  const card = phone.getByRole('region', { name: '演示数据' })
  if (said) await card.getByText(said).waitFor()
  await card.getByRole('button', { name: button }).click()
  const asked = phone.getByRole('dialog')
  await asked.getByRole('button', { name: answer }).waitFor()
  await asked.getByRole('button', { name: /取\s*消/ }).click()
  await asked.waitFor({ state: 'hidden' })
  return phone
}

test('sign in and load the demo, whose devices are online; a phone follows', { timeout: longest * 2 }, async () => {
  const page = await openPage(browser, platform, crowded)
  await page.goto(addressOf(platform, '/user/login'))
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await readable(page)
  await signInInEnglish(page, platform)
  await readable(page)
  await pressDemo(page, 'Load demo data', 'Load', page.getByText('Loaded. Products: 5, devices: 200.'))
  await page.close()

  const phone = await phoneSees('已加载：5 个产品，200 台设备。', '移除演示数据', /移\s*除/)
  await goInside(phone, platform, '/home')
  // On a crowded machine some of the 176 lose their connection for a while.
  const totals = phone.getByRole('navigation', { name: '设备总数' })
  await totals.getByRole('link', { name: /^在线 \S+ 1\d\d / }).waitFor({ timeout: longest })
})

/** Devices always read Chinese: their guide quotes what they are answered, and the log has it as it was sent. */
const quoted = (stop: string, line: string) =>
  (stop === 'help-device' && /"status": ?"|成功 means/.test(line)) ||
  (stop === 'log-service-hub' && /^\{"method":".*"msg":"/.test(line))

test('every route is in English, fits a desk and a pocket and stands still, by night', {
  timeout: longest,
}, async () => {
  const call = await makeCaller(platform, administrator)
  const facts = await vi.waitFor(() => readFleetFacts(call), { timeout: longest / 2, interval: 500 })
  const page = await openPage(browser, platform, { ...crowded, dark: true })
  const rest = watchRest(page)
  await watchShift(page)
  await giveSession(page, platform)
  await page.goto(addressOf(platform, '/account/index'))
  await rest()
  const found: string[] = []
  // Each screen is opened in the size in which the one before was looked at last.
  let sizes = [desk, pocket]
  for (const { path, name, anew } of stopsOf(facts)) {
    await forgetShift(page)
    await goInside(page, platform, path)
    for (const size of sizes) {
      const turned = page.viewportSize()?.width !== size.width
      if (turned) await page.setViewportSize(size)
      await rest()
      const { shift } = await measure(page)
      if (!turned && !anew && shift > shiftLimit) found.push(`${name} at ${size.width}: jumps by ${shift.toFixed(3)}`)
      const chinese = (await chineseOn(page)).filter((line) => !quoted(name, line))
      const faults = [...chinese, ...(await overEdge(page))]
      for (const fault of faults) found.push(`${name} at ${size.width}: ${fault}`)
    }
    sizes = sizes.toReversed()
  }
  expect(found.join('\n')).toBe('')
})

test('take the demo away again; a phone follows', { timeout: longest }, async () => {
  const page = await visit('/account/index', 'My account', crowded)
  await pressDemo(page, 'Remove demo data', 'Remove', page.getByRole('button', { name: 'Load demo data' }))
  await phoneSees(undefined, '加载演示数据', /加\s*载/)
})

test('add a product with a property and a device, and see a value move', async () => {
  const page = await visit('/deviceMangers/product/index', 'Products')
  await page.getByRole('button', { name: 'Add product', exact: true }).first().click()
  const product = dialog(page, 'Add product')
  await product.getByLabel('Product name').fill(productName)
  await readable(page)
  await submit(product, 'Create')
  await page.getByRole('button', { name: 'Define', exact: true }).click()
  await page.getByRole('button', { name: 'Add function' }).first().click()
  const property = dialog(page, /^Add property/)
  await property.getByLabel(/^Function name/).fill('Pressure')
  await property.getByLabel(/^Identifier/).fill('pressure')
  await property.getByLabel('Data type', { exact: true }).first().getByText('Float', { exact: true }).click()
  await readable(page)
  await submit(property, 'Save')
  await row(page, 'pressure').waitFor()
  await property.waitFor({ state: 'hidden' })
  await readable(page)
  await page.getByRole('tab', { name: 'Device list' }).click()
  await page.getByRole('button', { name: 'Add device' }).click()
  const device = dialog(page, 'Add device')
  await device.getByLabel('Device name').fill('pump-1')
  await readable(page)
  await device.getByRole('button', { name: 'Create and simulate' }).click()
  await page.getByRole('tab', { name: 'Device status', selected: true }).waitFor()
  await page.getByText(/[\d.]+ → [\d.]+/).waitFor()
  await readable(page)
})

const part = (page: Page, title: string): Locator => page.getByRole('region', { name: title, exact: true })

test('build a scene that raises an alarm', async () => {
  const page = await visit('/ruleEngine/scene/index', 'Scenes')
  await page.getByRole('button', { name: 'Add scene' }).first().click()
  await readable(page)
  await page.getByRole('dialog').getByRole('link', { name: 'Device' }).click()
  await page.getByRole('button', { name: 'Back to scenes' }).waitFor()
  await readable(page)
  await page.getByLabel('Scene name').fill('Pressure watch')
  const trigger = part(page, 'Trigger')
  await choose(page, trigger.getByLabel('Product'), productName)
  await choose(page, trigger.getByLabel('Property', { exact: true }), 'Pressure')
  await choose(page, trigger.getByLabel('Comparison', { exact: true }), '≥')
  await trigger.getByRole('spinbutton', { name: 'Value', exact: true }).fill('0')
  const action = part(page, 'Action')
  await action.getByRole('button', { name: /Raise alarm$/ }).click()
  await action.getByRole('listitem').last().getByLabel('Alarm', { exact: true }).click()
  await page.locator('.ant-select-dropdown:visible').getByRole('button', { name: 'Add alarm rule' }).click()
  const alarm = dialog(page, 'Add alarm rule')
  await alarm.getByLabel('Name').fill('Pressure too high')
  await alarm.getByText('Major', { exact: true }).click()
  await readable(page)
  await submit(alarm, 'Save')
  await alarm.waitFor({ state: 'hidden' })
  await part(page, 'Rule preview')
    .getByText(/^When the Pressure of any Pump station is at least 0, raise the alarm “Pressure too high”\.$/)
    .waitFor()
  await readable(page)
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(/[?&]id=\d+/)

  // The simulated pump reports again by itself.
  await goToScreen(page, platform, '/alarmMangers/alarmConfiguration/log', 'Alarm records')
  await row(page, /Pressure too high.*pump-1/).waitFor()
  await readable(page)
  await row(page, /Pressure too high.*pump-1/).click()
  await page.getByRole('complementary', { name: 'Alarm details' }).getByText('Message trace').waitFor()
  await readable(page)

  await goToScreen(page, platform, '/alarmMangers/alarmConfiguration/index', 'Alarm rules')
  await page.getByTitle('Cards', { exact: true }).click()
  await page.locator('.alarm-cards td[data-label="Linked scenes"]').waitFor()
  await readable(page)
})

test('run an upgrade to its end', async () => {
  const page = await visit('/operationsMonitorings/firmwareManger/index', 'Firmware packages')
  await page
    .getByRole('button', { name: /Add firmware package$/ })
    .first()
    .click()
  const firmware = dialog(page, 'Add firmware package')
  await choose(page, firmware.getByLabel('Product'), productName)
  await firmware.getByLabel('Firmware name').fill('Main board')
  await firmware.getByLabel('Version').fill('1.1.0')
  await firmware.locator('input[type=file]').setInputFiles({
    name: 'pump-1.1.0.bin',
    mimeType: 'application/octet-stream',
    buffer: randomBytes(50_000),
  })
  await firmware.getByText(/^Uploaded/).waitFor()
  await readable(page)
  await submit(firmware, 'Create')
  await told(page, 'Created; the checksums match those of the platform')
  await row(page, /Main board 1\.1\.0/).waitFor()
  await readable(page)

  await act(page, /Main board 1\.1\.0/, 'Upgrade')
  const task = dialog(page, 'Add upgrade task')
  await task.getByText('SHA-256', { exact: true }).waitFor()
  for (const step of ['Scope', 'Plan', 'Preview']) {
    await task.getByRole('button', { name: `Next: ${step}` }).click()
    await readable(page)
  }
  await task.getByRole('button', { name: 'Start upgrade' }).click()
  const asked = page.getByRole('dialog').filter({ hasText: 'Upgrade all devices?' })
  await asked.getByRole('textbox').fill('1')
  await readable(page)
  await asked.getByRole('button', { name: 'Start upgrade' }).click()
  await page.waitForURL(/taskID=\d+/)
  await page.locator('.task-title').getByText('Upgraded', { exact: true }).waitFor({ timeout: longest })
  await readable(page)
})
