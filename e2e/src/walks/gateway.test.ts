/** A gateway gets its sub-devices, gives one back, and a device's credentials are made in the browser (screens.md 6.3, 6.10). */
import { createHmac } from 'node:crypto'
import { createDevice } from '@ithings/contract/features/devices/info.ts'
import { bindSubDevices } from '@ithings/contract/features/gateways.ts'
import { createProduct, DeviceType } from '@ithings/contract/features/products.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { act, confirmWith, dialog, row, submit, told } from '#screens.ts'
import { administrator, knownAdmin, signInAt } from '#sign-in.ts'
import { openPage, soon } from '#visit.ts'

/** The device of device-protocol.md 11. */
const gatewayProduct = '254pwnKQsvK'

let platform: Platform
let browser: Browser

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
  const call = await makeCaller(platform, administrator)
  await call(createProduct, { productID: gatewayProduct, productName: '泵站网关', deviceType: DeviceType.gateway })
  const { productID } = await call(createProduct, { productName: '液位计', deviceType: DeviceType.subDevice })
  await call(createDevice, { productID: gatewayProduct, deviceName: 'test5' })
  await call(createDevice, { productID: gatewayProduct, deviceName: 'other' })
  for (let n = 1; n <= 4; n++) await call(createDevice, { productID, deviceName: `level-${n}` })
  await call(bindSubDevices, {
    gateWayProductID: gatewayProduct,
    gateWaydeviceName: 'other',
    list: [{ productID, deviceName: 'level-4' }],
  })
})
afterAll(async () => {
  if (platform) await discard(platform)
})

/** Opens the drawer and waits until it offers these and no others. */
async function expectCandidates(page: Page, names: string[]) {
  await page.getByRole('button', { name: '绑定子设备' }).first().click()
  const offered = dialog(page, '绑定子设备').getByRole('checkbox', { name: /^选择 / })
  const read = () => offered.evaluateAll((boxes) => boxes.map((box) => box.getAttribute('aria-label') ?? '').sort())
  await soon(read).toEqual(names.map((name) => `选择 ${name}`))
}

test('sub-devices are bound to a gateway, no longer offered, and unbound', async () => {
  const page = await openPage(browser, platform)
  await signInAt(page, platform, `/deviceMangers/device/detail/${gatewayProduct}/test5/7`)
  // level-4 lies behind another gateway.
  await expectCandidates(page, ['level-1', 'level-2', 'level-3'])
  const drawer = dialog(page, '绑定子设备')
  for (const name of ['level-1', 'level-2']) await drawer.getByRole('checkbox', { name: `选择 ${name}` }).check()
  await submit(drawer, '绑定')
  await told(page, '已绑定 2 台子设备')
  await drawer.waitFor({ state: 'hidden' })
  await row(page, 'level-2').waitFor()

  await expectCandidates(page, ['level-3'])
  await submit(drawer, '取消')
  await drawer.waitFor({ state: 'hidden' })

  await act(page, 'level-1', '解绑')
  await confirmWith(page, '解绑子设备「level-1」？', '解绑')
  await told(page, '解绑成功')
  await row(page, 'level-1').waitFor({ state: 'detached' })
  await expectCandidates(page, ['level-1', 'level-3'])
})

test('the credentials of a device are what the protocol computes from its secret', async () => {
  const page = await openPage(browser, platform)
  await signInAt(page, platform, `/deviceMangers/device/detail/${gatewayProduct}/test5/8`)
  const card = page.getByRole('region', { name: '生成连接凭证' })
  const fact = (label: string) =>
    card
      .locator('dl > div')
      .filter({ has: page.getByText(label, { exact: true }) })
      .locator('.mono')
      .textContent()
  await card.getByRole('button', { name: '查看密钥' }).click()
  await card.getByRole('button', { name: '显示密码' }).click()
  const secret = (await fact('设备密钥')) ?? ''
  expect(await fact('客户端 ID')).toBe(`${gatewayProduct}test5`)

  for (const [label, hash, name] of [
    ['HMAC-SHA256', 'sha256', 'hmacsha256'],
    ['HMAC-SHA1', 'sha1', 'hmacsha1'],
  ] as const) {
    await card.getByText(label, { exact: true }).click()
    const userName = (await fact('用户名')) ?? ''
    expect(userName).toMatch(/^254pwnKQsvKtest5;12010126;[A-Z0-9]{5};\d{10}$/)
    const digest = createHmac(hash, Buffer.from(secret, 'base64')).update(userName).digest('hex')
    await soon(() => fact('密码')).toBe(`${digest};${name}`)
  }
})
