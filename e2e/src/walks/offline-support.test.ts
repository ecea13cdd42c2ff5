/** Both branches of offline support (spec 4; decisions.md 2 "Offline support"). */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '#browser.ts'
import { openFront } from '#front.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { accountMenu, knownAdmin, signInAt, signInButton } from '#sign-in.ts'
import { addressOf, openPage, soon, unreachable } from '#visit.ts'

let platform: Platform
let browser: Browser

beforeAll(async () => {
  platform = await startPlatform({ ownProcess: true, env: { ...knownAdmin, PWA: 'on' } })
  browser = await launchBrowser()
})
afterAll(async () => {
  if (platform) await discard(platform)
})

const workers = (page: Page) =>
  page.evaluate(async () => {
    const registrations = await navigator.serviceWorker.getRegistrations()
    return registrations.map((one) => ({ scope: new URL(one.scope).pathname, state: one.active?.state }))
  })
const controlled = (page: Page) => page.evaluate(() => navigator.serviceWorker.controller !== null)
const stores = (page: Page) => page.evaluate(() => caches.keys())

async function openWithWorker(at: Platform): Promise<Page> {
  const page = await openPage(browser, at, { allowErrors: [unreachable] })
  await page.goto(addressOf(at, '/user/login'))
  await soon(() => workers(page)).toEqual([{ scope: '/front/iThingsCore/', state: 'activated' }])
  await page.reload()
  await soon(() => controlled(page)).toBe(true)
  // The page itself is kept as last seen, a moment after it was shown.
  await soon(() => page.evaluate(async () => (await caches.match(location.href)) !== undefined)).toBe(true)
  await signInButton(page).waitFor()
  return page
}

test('switched on, a worker is registered and the console opens without the server', async () => {
  const page = await openWithWorker(platform)
  expect(await page.getByText('有新内容').count()).toBe(0)
  await page.context().setOffline(true)
  await page.reload()
  await signInButton(page).waitFor()
  await page.getByText('当前处于离线状态').waitFor()
  await page.context().setOffline(false)
})

test('a new version asks to refresh; refreshing clears the caches and reloads (spec 4)', async () => {
  const front = await openFront(platform)
  try {
    const page = await openWithWorker(front.platform)
    await page.evaluate(() => caches.open('left-over'))
    front.release()
    await page.reload()
    await page.getByText('有新内容').waitFor()
    await page.getByText('请点击“刷新”按钮或者手动刷新页面').waitFor()
    const reloaded = page.waitForEvent('load')
    await page.getByRole('button', { name: '刷新', exact: true }).click()
    await reloaded
    await signInButton(page).waitFor()
    await soon(() => stores(page)).not.toContain('left-over')
    await soon(() => controlled(page)).toBe(true)
    expect(await page.getByText('有新内容').count()).toBe(0)
  } finally {
    front.close()
  }
})

test('a browser whose storage is full says so and the console opens all the same (spec 8)', async () => {
  const page = await openPage(browser, platform, { allowErrors: [/本地缓存存储失败/] })
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  await page.addInitScript(() => {
    const store = Storage.prototype.setItem
    Storage.prototype.setItem = function (key, value) {
      if (key === 'mapData') throw new Error('storage is full')
      store.call(this, key, value)
    }
  })
  await signInAt(page, platform, '/account/index')
  await accountMenu(page).waitFor()
  await soon(() => errors.join()).toContain('本地缓存存储失败：storage is full')
})

test('switched off, existing workers are unregistered and caches cleared (spec 4)', async () => {
  const page = await openWithWorker(platform)
  const { dataDir, origin } = platform
  await platform.kill('SIGTERM')
  platform = await startPlatform({ dataDir, env: { PORT: new URL(origin).port } })
  await page.reload()
  await signInButton(page).waitFor()
  await soon(() => workers(page)).toEqual([])
  await soon(() => stores(page)).toEqual([])
})
