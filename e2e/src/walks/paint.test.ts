/**
 * What stands between the first pages that people meet and their picture. How many milliseconds that takes is printed
 * for people to read, but not judged: it says as much about the machine and what else it does as about our page. What
 * makes a page slow everywhere is judged: files and calls that it waits for, parts that jump when they arrive, and that
 * what the build weighs (apps/console/build/budget.ts) is what a browser fetches.
 */
import { readFile } from 'node:fs/promises'
import { createDevice } from '@ithings/contract/features/devices/info.ts'
import { listPropertyLog } from '@ithings/contract/features/history.ts'
import { createProduct } from '@ithings/contract/features/products.ts'
import { importTsl } from '@ithings/contract/features/thing-model.ts'
import type { Browser, Locator, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { connectDevice } from '#device.ts'
import { english } from '#english.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { mostRequests, watchRequests } from '#requests.ts'
import { row } from '#screens.ts'
import { measure, shiftLimit, watchRest, watchShift } from '#settled.ts'
import { administrator, firstScreen, giveSession, knownAdmin, signInAt, signInButton } from '#sign-in.ts'
import { addressOf, openPage, patience, soon } from '#visit.ts'

const productID = 'PumpStation'
const productName = '一体化预制泵站'
const deviceName = 'PS-CY-0001'

interface PageSize {
  page: string
  kilobytes: number
  limit: number
  files: string[]
}

let platform: Platform
let browser: Browser
let weighed: PageSize[]

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
  const file = new URL('../../../apps/console/dist/script-sizes.json', import.meta.url)
  weighed = JSON.parse(await readFile(file, 'utf8'))
})
afterAll(async () => {
  if (platform) await discard(platform)
})

const weightOf = (name: string): PageSize => {
  const found = weighed.find(({ page }) => page === name)
  if (!found) throw new Error(`the build weighs no ${name}`)
  return found
}

/** Scripts that the page fetches from now on, with the bytes that came over the wire. */
function watchScripts(page: Page) {
  const scripts = new Map<string, Request>()
  page.on('requestfinished', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('.js')) scripts.set(pathname.replace(/^\/front\/iThingsCore\//, ''), request)
  })
  return {
    names: () => [...scripts.keys()].sort(),
    bytes: async () => {
      const sizes = await Promise.all([...scripts.values()].map((request) => request.sizes()))
      return sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0)
    },
  }
}

/** Small files have no compressed copy and are weighed as they lie there, but the server may still compress them. */
async function expectWeight(scripts: ReturnType<typeof watchScripts>, kilobytes: number): Promise<void> {
  const fetched = (await scripts.bytes()) / 1000
  expect(fetched).toBeLessThanOrEqual(kilobytes)
  expect(fetched).toBeGreaterThan(kilobytes * 0.97)
}

/** Nothing is on its way any more. */
const quiet = (page: Page) => page.waitForLoadState('networkidle')

/** Who reads English loads the library and the texts besides, and is promised the same. */
const tongues = { Chinese: { locale: 'zh-CN', suffix: '' }, English: { ...english, suffix: ' in English' } }

/** From nothing until it is quiet: what the build weighed, no more and no less, and within the limit. */
async function expectWeighed(page: Page, name: string, path: string, shown: Locator): Promise<void> {
  const scripts = watchScripts(page)
  await page.goto(addressOf(platform, path))
  await shown.waitFor()
  await quiet(page)
  const { files, kilobytes, limit } = weightOf(name)
  await soon(() => scripts.names()).toEqual([...files].sort())
  await expectWeight(scripts, kilobytes)
  expect(kilobytes).toBeLessThanOrEqual(limit)
}

describe.each(Object.entries(tongues))('in %s', (_, { locale, suffix }) => {
  test('the login page fetches exactly the scripts that the build weighed', async () => {
    const page = await openPage(browser, platform, { locale })
    const button = page.getByRole('button', { name: /^(登录|Sign in)$/ })
    await expectWeighed(page, `login page${suffix}`, '/user/login', button)
  })

  test('the product list of a new platform fetches exactly the scripts that the build weighed', async () => {
    const page = await openPage(browser, platform, { locale })
    await giveSession(page, platform)
    const steps = page.getByRole('region', { name: /^(接入第一台设备|Connect the first device)$/ })
    await expectWeighed(page, `first list page${suffix}`, firstScreen, steps)
  })

  test('the device list fetches exactly the scripts that the build weighed', async () => {
    const page = await openPage(browser, platform, { locale })
    // Who has put the first steps away sees the screen alone.
    await page.addInitScript(() => localStorage.setItem('iThings-first-steps-away', '1'))
    await giveSession(page, platform)
    const title = page.getByRole('heading', { name: /^(设备|Devices)$/, level: 1 })
    await expectWeighed(page, `device list${suffix}`, '/deviceMangers/device/index', title)
  })
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
  const requests = watchRequests(page)
  await page.goto(addressOf(platform, path))
  await shown.waitFor()
  await rest()
  const paintMs = await paintTime(page)
  const asked = requests()
  const calls = asked.filter((one) => one.startsWith('/api/')).length
  console.log(`${path}: painted after ${Math.round(paintMs)} ms, ${asked.length - calls} files, ${calls} calls`)
  return { paintMs, requests: asked.length, ...(await measure(page)) }
}

const limits = (requests = mostRequests) => ({
  paintMs: expect.toSatisfy((ms: number) => ms > 0),
  requests: expect.toSatisfy((n: number) => n <= requests),
  shift: expect.toSatisfy((n: number) => n <= shiftLimit),
})

test('the login page is painted by few requests and stands still', async () => {
  const page = await openPage(browser, platform)
  expect(await load(page, '/user/login', signInButton(page))).toMatchObject(limits(10))
})

describe('with a device', () => {
  beforeAll(async () => {
    const call = await makeCaller(platform, administrator)
    await call(createProduct, { productID, productName })
    await call(createDevice, { productID, deviceName })
  })

  test.each<[name: string, path: string, shown: (page: Page) => Locator]>([
    ['product list', '/deviceMangers/product/index', (page) => row(page, productName)],
    ['device list', '/deviceMangers/device/index', (page) => row(page, deviceName)],
    ['alarm queue', '/alarmMangers/alarmConfiguration/log', (page) => page.getByRole('heading', { name: '告警记录' })],
    [
      'log service',
      `/operationsMonitorings/logService/index?productID=${productID}`,
      (page) => page.getByRole('group', { name: '日志数量分布' }),
    ],
    ['home', '/home', (page) => page.getByRole('navigation', { name: '设备总数' })],
  ])('the %s is painted by few requests and stands still', async (_name, path, shown) => {
    const page = await openPage(browser, platform)
    await signInAt(page, platform, '/account/index')
    // Who has seen the first steps has room for them kept on the next screen.
    await page.getByRole('complementary', { name: '接入第一台设备' }).waitFor()
    expect(await load(page, path, shown(page))).toMatchObject(limits())
  })

  test('the history of a device fetches exactly the scripts that the build weighed, by few requests', async () => {
    const call = await makeCaller(platform, administrator)
    const define = { type: 'float', min: '0', max: '10', unit: 'MPa' }
    const tsl = JSON.stringify({ properties: [{ identifier: 'pressure', name: '压力', mode: 'r', define }] })
    await call(importTsl, { productID, tsl })
    const device = await connectDevice(platform, call, { productID, deviceName })
    const timestamp = Date.now()
    await device.publish('thing/property', { method: 'report', clientToken: '1', timestamp, params: { pressure: 1 } })
    await device.end()
    const ask = { productID, deviceNames: [deviceName], dataID: 'pressure', timeStart: timestamp - 1000, timeEnd: 0 }
    await soon(async () => (await call(listPropertyLog, ask)).list.length).toBe(1)

    const page = await openPage(browser, platform)
    // Who has put the first steps away sees the screen alone.
    await page.addInitScript(() => localStorage.setItem('iThings-first-steps-away', '1'))
    await signInAt(page, platform, '/account/index')
    await quiet(page)
    const scripts = watchScripts(page)
    const path = `/deviceMangers/device/detail/${productID}/${deviceName}/10?props=pressure&time=1`
    const shown = page.getByRole('img', { name: '压力的历史曲线' })
    expect(await load(page, path, shown)).toMatchObject(limits())
    const { files, kilobytes, limit } = weightOf('history')
    expect(scripts.names()).toEqual([...files].sort())
    expect(kilobytes).toBeLessThanOrEqual(limit)
  })
})
