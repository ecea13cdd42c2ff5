/** The demo fleet as a visitor meets it: started with it, looked at, removed and loaded by buttons (issue 7 part 2). */
import { readDemo } from '@ithings/contract/features/demo.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { administrator, knownAdmin, signInAt } from '#sign-in.ts'
import { openPage, pocket } from '#visit.ts'

const settingPath = '/systemMangers/setting/index'
/** On a machine that does other work meanwhile. */
const longest = 120_000

let platform: Platform
let browser: Browser
beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin, args: ['--demo'] })
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser?.close()
  if (platform) await discard(platform)
})

const stateIs = async (state: string) => {
  const call = await makeCaller(platform, administrator)
  await expect.poll(async () => (await call(readDemo, {})).state, { timeout: longest, interval: 200 }).toBe(state)
}
const card = (page: Page) => page.getByRole('region', { name: '演示数据' })

test(
  'a start with --demo brings a fleet that is online and obeys; a button takes it away and brings it back',
  async () => {
    expect(platform.output()).toContain('The demo fleet is being loaded')
    await stateIs('loaded')
    const page = await openPage(browser, platform)
    await signInAt(page, platform, '/home')
    await page
      .getByRole('navigation', { name: '设备总数' })
      .getByRole('link', { name: /^在线 176 台/ })
      .waitFor({
        timeout: longest,
      })

    await page.goto(new URL(settingPath.slice(1), platform.consoleUrl).href)
    await card(page).getByText('已加载：5 个产品，200 台设备。').waitFor()
    await card(page).getByRole('button', { name: '移除演示数据' }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /移\s*除/ })
      .click()
    const load = card(page).getByRole('button', { name: '加载演示数据' })
    await load.waitFor({ timeout: longest })
    await load.click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /加\s*载/ })
      .click()
    await card(page).getByText('已加载：').waitFor({ timeout: longest })
  },
  longest * 3,
)

test(
  'a start with --remove-demo takes it away, and the settings offer it again on a phone',
  async () => {
    const { dataDir } = platform
    await platform.kill('SIGTERM')
    platform = await startPlatform({ dataDir, env: knownAdmin, args: ['--remove-demo'] })
    expect(platform.output()).toContain('The demo fleet is being removed')
    await stateIs('none')
    const page = await openPage(browser, platform, { viewport: pocket, dark: true })
    await signInAt(page, platform, settingPath)
    await card(page).getByRole('button', { name: '加载演示数据' }).waitFor()
  },
  longest * 2,
)
