/** One message followed to its end, refused ones found, a device debugged, the logs of a product searched (screens.md 6.5, 18, 19). */

import { createDevice } from '@ithings/contract/features/devices/info.ts'
import { listLatest } from '@ithings/contract/features/history.ts'
import { createProduct } from '@ithings/contract/features/products.ts'
import { importTsl } from '@ithings/contract/features/thing-model.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { connectDevice, type WalkDevice } from '#device.ts'
import { downloaded, exported, sheetOf } from '#files.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { act, choose, dialog, row, search, writeCode } from '#screens.ts'
import { administrator, knownAdmin, signInAt } from '#sign-in.ts'
import { holdCalls, openPage, soon } from '#visit.ts'

const productID = 'PumpStation'
const pump = { productID, deviceName: 'PS-CY-0007' }
const other = { productID, deviceName: 'PS-CY-0008' }
const devicePath = `/deviceMangers/device/detail/${productID}/${pump.deviceName}`
const debugPath = '/operationsMonitorings/onlineDebugs/index'
const logPath = '/operationsMonitorings/logService/index'

const common = { desc: '', required: false }
const tsl = {
  properties: [
    {
      ...common,
      identifier: 'level',
      name: '集水池液位',
      mode: 'r',
      define: { type: 'float', min: '0', max: '6', start: '0', step: '0.01', unit: 'm' },
    },
    {
      ...common,
      identifier: 'freq',
      name: '变频频率',
      mode: 'rw',
      define: { type: 'float', min: '0', max: '50', start: '0', step: '0.5', unit: 'Hz' },
    },
  ],
  events: [],
  actions: [
    {
      ...common,
      identifier: 'backwash',
      name: '启动反冲洗',
      dir: 'down',
      input: [
        {
          identifier: 'seconds',
          name: '持续时间',
          define: { type: 'int', min: '1', max: '600', start: '0', step: '1', unit: '秒' },
        },
      ],
      output: [],
    },
  ],
}

let platform: Platform
let browser: Browser
let call: Caller
let device: WalkDevice
let second: WalkDevice

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
  call = await makeCaller(platform, administrator)
  await call(createProduct, { productID, productName: '一体化预制泵站' })
  await call(importTsl, { productID, tsl: JSON.stringify(tsl) })
  await call(createDevice, { ...pump, deviceAlias: '朝阳北路 7 号泵站' })
  await call(createDevice, other)
  device = await connectDevice(platform, call, pump)
  second = await connectDevice(platform, call, other)
})
afterAll(async () => {
  await device?.end()
  await second?.end()
  if (platform) await discard(platform)
})

const report = (params: Record<string, unknown>, clientToken: string) => ({ method: 'report', clientToken, params })

/** The platform answers every report, also the refused ones. */
async function say(from: WalkDevice, params: Record<string, unknown>, clientToken: string): Promise<void> {
  await from.publish('thing/property', report(params, clientToken))
  await from.next('thing/property', (message) => message.clientToken === clientToken)
}

const trace = (page: Page) => dialog(page, '消息跟踪')

test('a report is followed through its trace; a refused one is found by its result and explains itself', async () => {
  await say(device, { level: 2.5, freq: 42.5 }, 'good-1')
  await say(device, { level: 9.1 }, 'bad-1')

  const page = await openPage(browser, platform)
  await signInAt(page, platform, `${devicePath}/2`)
  await act(page, 'good-1', '跟踪')
  await trace(page).getByText('已写入 2 个属性').waitFor()
  await trace(page).getByText('good-1').first().waitFor()
  expect(await trace(page).getByLabel('未通过').count()).toBe(0)
  await trace(page).getByRole('button', { name: '关闭' }).click()
  await trace(page).waitFor({ state: 'hidden' })

  await choose(page, page.getByRole('form', { name: '查询条件' }).getByLabel('结果'), '失败')
  await page.getByRole('button', { name: '查询' }).click()
  await row(page, 'good-1').waitFor({ state: 'hidden' })
  await act(page, 'bad-1', '跟踪')
  const why = trace(page).getByText(/level 须在 0–6 之间，收到 9\.1/)
  await why.first().waitFor()
  expect(await trace(page).getByLabel('未通过').count()).toBe(1)
  // It is what was received, not what would have been stored.
  await trace(page).getByText('"params"').waitFor()
})

test('a device is debugged: what is sent arrives, its reply stands beside it with the time it took', async () => {
  const page = await openPage(browser, platform)
  await signInAt(page, platform, debugPath)
  await choose(page, page.getByLabel('产品', { exact: true }), '一体化预制泵站')
  await choose(page, page.getByLabel('设备', { exact: true }), '朝阳北路 7 号泵站')
  const sending = page.getByRole('region', { name: '发送' })
  const stream = page.getByRole('region', { name: '消息流' })
  await page.getByText('在线', { exact: true }).waitFor()

  // What is written before the platform tells the present value stays.
  const held = await holdCalls(page, listLatest)
  await choose(page, sending.getByLabel('要设置的属性'), '变频频率')
  await page.keyboard.press('Escape')
  await held.asked
  await sending.getByLabel('变频频率').fill('37.5')
  held.release()
  await sending.getByRole('button', { name: /发送$/ }).click()
  const control = await device.next('thing/property', ({ method }) => method === 'control')
  expect(control.params).toEqual({ freq: 37.5 })
  const token = String(control.clientToken)
  await device.publish('thing/property', { method: 'control_reply', clientToken: token, code: 200, status: '已调频' })
  await sending.getByText('已调频').first().waitFor()

  const exchange = stream.getByRole('listitem').filter({ hasText: 'control_reply' })
  await exchange.getByText('已配对').waitFor()
  await exchange.getByText(/^[\d.,]+ ms$/).waitFor()
  await exchange.getByRole('button', { name: /control_reply/ }).click()
  await exchange.getByRole('button', { name: '消息跟踪' }).click()
  const related = trace(page)
    .getByRole('listitem')
    .filter({ hasText: /\d{2}:\d{2}:\d{2}\.\d{3}/ })
  await soon(() => related.count()).toBe(2)
  await trace(page).getByRole('button', { name: '关闭' }).click()

  // Sent again from the history, refused by the device this time.
  await sending.getByRole('button', { name: /^重发/ }).first().click()
  const again = await device.next('thing/property', ({ method }) => method === 'control')
  expect(again.clientToken).not.toBe(token)
  const refusal = { method: 'control_reply', clientToken: again.clientToken, code: 403, status: '检修中' }
  await device.publish('thing/property', refusal)
  await sending.getByText('检修中').first().waitFor()
  await soon(() => stream.getByRole('listitem').filter({ hasText: '已配对' }).count()).toBe(2)
})

test('a message of one’s own is checked against the model before it is sent', async () => {
  const page = await openPage(browser, platform)
  await signInAt(page, platform, `${devicePath}/6`)
  const sending = page.getByRole('region', { name: '发送' })
  await sending.getByRole('tab', { name: '自定义消息' }).click()
  await sending.getByLabel('Topic').click()
  await page.getByTitle(`$thing/down/action/${productID}/${pump.deviceName}`).click()
  await sending.getByText('符合物模型「启动反冲洗 backwash」').waitFor()
  const editor = sending.getByRole('textbox', { name: '消息内容' })
  await writeCode(editor, '{ "method": "action", ')
  await sending.getByText(/不是有效的 JSON/).waitFor()
  expect(await sending.getByRole('button', { name: /发送$/ }).isDisabled()).toBe(true)

  const own = { method: 'action', clientToken: 'own-1', actionID: 'backwash', params: { seconds: 30 } }
  await writeCode(editor, JSON.stringify(own))
  await sending.getByRole('button', { name: /发送$/ }).click()
  expect(await device.next('thing/action')).toMatchObject(own)
  await device.publish('thing/action', { method: 'action_reply', clientToken: 'own-1', code: 200, response: {} })
  const stream = page.getByRole('region', { name: '消息流' })
  await stream.getByRole('listitem').filter({ hasText: 'action_reply' }).getByText('已配对').waitFor()
})

test('the logs of a product are searched across its devices, looked at in their context and taken away', async () => {
  await say(second, { level: 1.25 }, 'north-1')
  const page = await openPage(browser, platform)
  await signInAt(page, platform, `${logPath}?productID=${productID}`)
  await page.getByRole('group', { name: /^日志数量分布，共 [1-9]/ }).waitFor()
  await row(page, pump.deviceName).first().waitFor()
  await search(page, 'RequestID', 'north-1')
  await page.getByText('共 1 条').waitFor()
  await row(page, /PS-CY-0008.*north-1/).waitFor()
  await page.getByRole('group', { name: '日志数量分布，共 1 条' }).waitFor()
  const volume = sheetOf(
    (await exported(page, page.getByRole('button', { name: '导出「日志数量分布」' }), 'Excel (XLSX)')).bytes,
  )
  expect(volume).toHaveLength(60)
  expect(volume.filter(({ 总数 }) => 总数 !== '0')).toMatchObject([{ 总数: '1', 失败: '0' }])
  const file = await downloaded(page, () => page.getByRole('button', { name: '导出 JSON' }).click())
  expect(JSON.parse(file.text)).toMatchObject([{ requestID: 'north-1', deviceName: other.deviceName }])

  await act(page, 'north-1', '前后')
  const context = dialog(page, /前后各 20 条/)
  await context.getByRole('button', { name: /上线/ }).waitFor()
  expect(await context.locator('[aria-current=true]').textContent()).toContain('report')

  await page.goto(`${page.url()}&tab=cloud&kind=online`)
  await soon(() => row(page, '上线').count()).toBe(2)
})
