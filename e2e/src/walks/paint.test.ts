/**
 * What stands between the first pages that people meet and their picture. How many milliseconds that takes is printed
 * for people to read, but not judged: it says as much about the machine and what else it does as about our page. What
 * makes a page slow everywhere is judged: files and calls that it waits for, and parts that jump when they arrive.
 */
import { createDevice } from '@ithings/contract/features/devices/info.ts'
import { createProduct } from '@ithings/contract/features/products/info.ts'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { row } from '#screens.ts'
import { measure, watchRest, watchShift } from '#settled.ts'
import { administrator, knownAdmin, signInAt, signInButton } from '#sign-in.ts'
import { addressOf, openPage, patience } from '#visit.ts'

/** What the browser's makers call good (Core Web Vitals). */
const shiftLimit = 0.1
const productID = 'PumpStation'
const productName = '一体化预制泵站'
const deviceName = 'PS-CY-0001'

let platform: Platform
let browser: Browser
beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
  const call = await makeCaller(platform, administrator)
  await call(createProduct, { productID, productName })
  await call(createDevice, { productID, deviceName })
})
afterAll(async () => {
  if (platform) await discard(platform)
})

/** The browser's own measure of the largest contentful paint; NaN for a page that was never painted. */
const paintTime = (page: Page): Promise<number> =>
  page.evaluate(
    (limit) =>
      new Promise<number>((resolve) => {
        const seen = new PerformanceObserver((list) => resolve(list.getEntries().at(-1)?.startTime ?? Number.NaN))
        seen.observe({ type: 'largest-contentful-paint', buffered: true })
        setTimeout(() => resolve(Number.NaN), limit)
      }),
    patience,
  )

/** Loads the page from nothing and counts what it asked for until it was at rest. */
async function load(page: Page, path: string, shown: Locator) {
  const rest = watchRest(page)
  await watchShift(page)
  // Each once: a page that is looked at for long asks again for what changes.
  const asked = new Set<string>()
  page.on('request', (request) => asked.add(new URL(request.url()).pathname))
  await page.goto(addressOf(platform, path))
  await shown.waitFor()
  await rest()
  const paintMs = await paintTime(page)
  const calls = [...asked].filter((one) => one.startsWith('/api/')).length
  const files = asked.size - calls
  console.log(`${path}: painted after ${Math.round(paintMs)} ms, ${files} files, ${calls} calls`)
  return { paintMs, files, calls, ...(await measure(page)) }
}

/** A little more than there is today: one call or a few files more are a decision, twice as many an accident. */
const limits = (files: number, calls: number) => ({
  paintMs: expect.toSatisfy((ms: number) => ms > 0),
  files: expect.toSatisfy((n: number) => n <= files),
  calls: expect.toSatisfy((n: number) => n <= calls),
  shift: expect.toSatisfy((n: number) => n <= shiftLimit),
})

test('the login page is painted from few files, by few calls, and stands still', async () => {
  const page = await openPage(browser, platform)
  expect(await load(page, '/user/login', signInButton(page))).toMatchObject(limits(14, 2))
})

test.each<[name: string, path: string, shown: (page: Page) => Locator, files: number, calls: number]>([
  ['product list', '/deviceMangers/product/index', (page) => row(page, productName), 60, 9],
  ['device list', '/deviceMangers/device/index', (page) => row(page, deviceName), 57, 8],
  ['home', '/home', (page) => page.getByRole('navigation', { name: '设备总数' }), 64, 14],
])('the %s is painted from few files, by few calls, and stands still', async (_name, path, shown, files, calls) => {
  const page = await openPage(browser, platform)
  await signInAt(page, platform, '/account/index')
  // Who has seen the first steps has room for them kept on the next screen.
  await page.getByRole('complementary', { name: '接入第一台设备' }).waitFor()
  expect(await load(page, path, shown(page))).toMatchObject(limits(files, calls))
})
