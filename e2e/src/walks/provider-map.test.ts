/** With an access key the place of a device is shown and moved on the provider's map (spec 7); here a stand-in answers for it. */
import { createDevice, readDevice } from '@ithings/contract/features/devices/info.ts'
import { createProduct } from '@ithings/contract/features/products/info.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished, test } from 'vitest'
import { makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { administrator, knownAdmin, signInAt } from '#sign-in.ts'
import { soon } from '#visit.ts'

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
  platform = await startPlatform({ env: { ...knownAdmin, MAP_ACCESS_KEY: 'walk-key' } })
  browser = await launchBrowser()
})
afterAll(async () => {
  if (platform) await discard(platform)
})

test('the provider shows the place, a click moves it, and saving keeps it', async () => {
  const call = await makeCaller(platform, administrator)
  await call(createProduct, { productID, productName: '一体化泵站' })
  await call(createDevice, { productID, deviceName, position: { longitude: 116.4, latitude: 39.9 } })
  const context = await browser.newContext({ locale: 'zh-CN' })
  onTestFinished(() => context.close())
  // Answered here: nothing leaves this machine.
  await context.route(/^https?:\/\/api\.map\.baidu\.com\//, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: standIn }),
  )
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
  const context = await browser.newContext({ locale: 'zh-CN' })
  onTestFinished(() => context.close())
  await context.route(/^https?:\/\/api\.map\.baidu\.com\//, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: standIn }),
  )
  const page = await context.newPage()
  await signInAt(page, platform, '/home')
  const map = page.locator('.home [data-provider="yes"]')
  await soon(() => map.getAttribute('data-markers')).toContain('[113.26,23.13]')
})
