/**
 * With an access key the provider's script is loaded, and the place of a device is shown and moved on its map (spec 7);
 * here a stand-in answers for it.
 */
import { createDevice, readDevice } from '@ithings/contract/features/devices/info.ts'
import { createProduct } from '@ithings/contract/features/products.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { administrator, knownAdmin, signInAt, signInByForm } from '#sign-in.ts'
import { patience, soon } from '#visit.ts'

const accessKey = 'walk key/1'
const provider = /^https?:\/\/api\.map\.baidu\.com\//
const roleList = '/systemMangers/role/index'
const productID = 'MAP00000001'
const deviceName = 'pump-1'
/** What we use of the provider's programming interface; a click on the map chooses 120.5, 30.5. */
const standIn = `
  window.BMap = {
    Point: function (lng, lat) { this.lng = lng; this.lat = lat },
    Marker: function (point) { this.point = point; this.addEventListener = () => {}; this.setTitle = () => {} },
    Map: function (host) {
      host.dataset.provider = 'yes'
      this.centerAndZoom = (point) => { host.dataset.center = point.lng + ',' + point.lat }
      this.setViewport = () => {}
      this.enableScrollWheelZoom = () => {}
      this.clearOverlays = () => { host.dataset.markers = '' }
      this.addOverlay = (one) => { host.dataset.markers += '[' + one.point.lng + ',' + one.point.lat + ']' }
      this.addEventListener = (name, listener) =>
        host.addEventListener(name, () => listener({ point: { lng: 120.5, lat: 30.5 } }))
    },
  }
  window.onMapScriptReady()`

let platform: Platform
let browser: Browser

beforeAll(async () => {
  platform = await startPlatform({ env: { ...knownAdmin, MAP_ACCESS_KEY: accessKey } })
  browser = await launchBrowser()
})
afterAll(async () => {
  if (platform) await discard(platform)
})

async function openContext() {
  const context = await browser.newContext({ locale: 'zh-CN' })
  context.setDefaultTimeout(patience)
  return context
}

test('the provider shows the place, a click moves it, and saving keeps it', async () => {
  const call = await makeCaller(platform, administrator)
  await call(createProduct, { productID, productName: '一体化泵站' })
  await call(createDevice, { productID, deviceName, position: { longitude: 116.4, latitude: 39.9 } })
  const context = await openContext()
  onTestFinished(() => context.close())
  // Answered here: nothing leaves this machine.
  await context.route(provider, (route) => route.fulfill({ contentType: 'text/javascript', body: standIn }))
  const page = await context.newPage()
  await signInAt(page, platform, `/deviceMangers/device/detail/${productID}/${deviceName}/1`)
  const map = page.locator('[data-provider="yes"]')
  await soon(() => map.getAttribute('data-markers')).toContain('[116.4,39.9]')
  await map.click()
  await soon(() => map.getAttribute('data-markers')).toContain('[120.5,30.5]')
  await page.getByRole('button', { name: /^保\s*存$/ }).click()
  await soon(async () => (await call(readDevice, { productID, deviceName })).position).toEqual({
    longitude: 120.5,
    latitude: 30.5,
  })
})

test("the large screen shows its clusters on the provider's map", async () => {
  const call = await makeCaller(platform, administrator)
  const homeID = 'MAP00000002'
  await call(createProduct, { productID: homeID, productName: '冷链追踪器' })
  await call(createDevice, { productID: homeID, deviceName, position: { longitude: 113.26, latitude: 23.13 } })
  const context = await openContext()
  onTestFinished(() => context.close())
  await context.route(provider, (route) => route.fulfill({ contentType: 'text/javascript', body: standIn }))
  const page = await context.newPage()
  await signInAt(page, platform, '/home')
  const map = page.locator('.home [data-provider="yes"]')
  await soon(() => map.getAttribute('data-markers')).toContain('[113.26,23.13]')
})

/** A visit whose requests to the provider are answered here: nothing leaves this machine. */
async function openMapped(at: Platform, answer: 'a script' | 'nothing') {
  const context = await openContext()
  onTestFinished(async () => {
    // What the page still asks for when the test is over is nobody's business.
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    await context.close()
  })
  const asked: URL[] = []
  await context.route(provider, (route) => {
    asked.push(new URL(route.request().url()))
    const script = { contentType: 'text/javascript', body: 'window.onMapScriptReady(); window.mapIsThere = true' }
    return answer === 'nothing' ? route.abort() : route.fulfill(script)
  })
  // The platform as a proxy with a certificate would show it.
  await context.route('https://console.walk/**', async (route) => {
    const url = route.request().url().replace('https://console.walk', platform.origin)
    await route.fulfill({ response: await route.fetch({ url }) })
  })
  const page = await context.newPage()
  const logged: string[] = []
  page.on('pageerror', (error) => logged.push(error.message))
  await signInByForm(page, at, roleList)
  await soon(() => asked.length).toBe(1)
  return { page, asked, logged }
}
const upgradeTag = (page: Page) =>
  page.locator('meta[http-equiv="Content-Security-Policy"][content="upgrade-insecure-requests"]')

test('spec 7: the map script comes over plain http with the key in the query; spec 3: mapData is kept', async () => {
  const { page, asked, logged } = await openMapped(platform, 'a script')
  expect(asked.map(({ protocol }) => protocol)).toEqual(['http:'])
  expect(asked[0]?.searchParams.get('ak')).toBe(accessKey)
  await soon(() => page.evaluate(() => 'mapIsThere' in window)).toBe(true)
  const kept = await page.evaluate(() => localStorage.getItem('mapData'))
  expect(JSON.parse(kept ?? '')).toMatchObject({ map: { accessKey } })
  expect(await upgradeTag(page).count()).toBe(0)
  expect(logged).toEqual([])
})

test('spec 8: a map script that does not come is only logged', async () => {
  const { page, logged } = await openMapped(platform, 'nothing')
  await soon(() => logged).toEqual(['地图脚本加载失败'])
  await page.getByRole('row', { name: /供应商/ }).waitFor()
  await page.waitForLoadState('networkidle')
  expect(await page.locator('.ant-notification-notice').count()).toBe(0)
})

test('spec 7: an https page gets the upgrade-insecure-requests tag, which upgrades the map script', async () => {
  const origin = 'https://console.walk'
  const secure = { ...platform, origin, consoleUrl: platform.consoleUrl.replace(platform.origin, origin) }
  const { page, asked } = await openMapped(secure, 'a script')
  expect(await upgradeTag(page).count()).toBe(1)
  expect(asked.map(({ protocol }) => protocol)).toEqual(['https:'])
})
