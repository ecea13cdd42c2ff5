/** goals.md "Console": what the build weighs (apps/console/build/budget.ts) is what a browser fetches. */
import { readFile } from 'node:fs/promises'
import type { Browser, Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '#browser.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { firstScreen, knownAdmin, signInAt, signInButton } from '#sign-in.ts'
import { addressOf, openPage, soon } from '#visit.ts'

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
  const file = new URL('../../../apps/console/dist/script-sizes.json', import.meta.url)
  weighed = JSON.parse(await readFile(file, 'utf8'))
  ;[platform, browser] = await Promise.all([startPlatform({ env: knownAdmin }), launchBrowser()])
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

test('the login page fetches exactly the scripts that the build weighed', async () => {
  const page = await openPage(browser, platform)
  const scripts = watchScripts(page)
  await page.goto(addressOf(platform, '/user/login'))
  await signInButton(page).waitFor()
  await quiet(page)
  const { files, kilobytes, limit } = weightOf('login page')
  await soon(() => scripts.names()).toEqual([...files].sort())
  await expectWeight(scripts, kilobytes)
  expect(kilobytes).toBeLessThanOrEqual(limit)
})

test('the product list of a new platform fetches exactly the scripts that the build weighed', async () => {
  const page = await openPage(browser, platform)
  await signInAt(page, platform, firstScreen)
  const again = await page.context().newPage()
  const scripts = watchScripts(again)
  const session = await again.context().newCDPSession(again)
  await session.send('Network.enable')
  await session.send('Network.setCacheDisabled', { cacheDisabled: true })
  await again.goto(addressOf(platform, firstScreen))
  await again.getByRole('region', { name: '接入第一台设备' }).waitFor()
  await quiet(again)
  const { files, kilobytes, limit } = weightOf('first list page')
  await soon(() => scripts.names()).toEqual([...files].sort())
  await expectWeight(scripts, kilobytes)
  expect(kilobytes).toBeLessThanOrEqual(limit)
})
