/** A codec is written, tried with bytes, found wrong at its line, kept with a case and published (screens.md 4.4). */

import { createProduct } from '@ithings/contract/features/products.ts'
import { readCustom } from '@ithings/contract/features/scripts.ts'
import { importTsl } from '@ithings/contract/features/thing-model.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { confirmWith, told, writeCode } from '#screens.ts'
import { administrator, knownAdmin, signInAt } from '#sign-in.ts'
import { openPage } from '#visit.ts'

const codec = `function thingPropertyUp(bytes) {
  console.log('frame of', bytes.length)
  return { method: 'report', clientToken: 'walk-1', params: { freq: bytes[1] * 256 + bytes[2] } }
}
`
const broken = `function thingPropertyUp(bytes) {
  const frame = bytes.missing
  return { method: 'report', clientToken: frame.token, params: {} }
}
`
const frequency = {
  identifier: 'freq',
  name: '变频频率',
  desc: '',
  required: false,
  mode: 'rw',
  define: { type: 'int', min: '0', max: '50', start: '0', step: '1', unit: 'Hz' },
  isUseShadow: false,
  isNoRecord: false,
}

let platform: Platform
let browser: Browser

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
})
afterAll(async () => {
  if (platform) await discard(platform)
})

async function run(page: Page, input: string) {
  const bench = page.getByRole('region', { name: '测试台' })
  await bench.getByLabel(/^输入（十六进制）/).fill(input)
  await bench.getByRole('button', { name: '执行' }).click()
  return page.getByRole('region', { name: '运行结果' })
}

test('a codec is written, tried, corrected, kept with a case and published', async () => {
  const call = await makeCaller(platform, administrator)
  const { productID } = await call(createProduct, { productName: '一体化预制泵站' })
  const tsl = JSON.stringify({ version: '', properties: [frequency], events: [], actions: [], profile: { productID } })
  await call(importTsl, { productID, tsl })
  const page = await openPage(browser, platform)
  await signInAt(page, platform, `/deviceMangers/product/detail/${productID}?tab=script`)

  const editor = page.getByRole('textbox', { name: '解析脚本' })
  await writeCode(editor, broken)
  const failed = await run(page, '01 00 2A')
  await failed.getByText('运行出错').waitFor()
  await failed.getByRole('button', { name: '第 3 行' }).click()
  await page.locator('.cm-lint-marker-error').waitFor()

  await writeCode(editor, codec)
  const passed = await run(page, '0x01, 00 2A')
  await passed.getByText('运行成功').waitFor()
  await passed.getByText('frame of 3').waitFor()
  expect(await passed.textContent()).toMatch(/freq.*42/)

  // The thing model has the last word: 500 Hz is more than the definition allows.
  const refused = await run(page, '01 01 F4')
  await refused.getByText('结果不符合物模型').waitFor()

  await run(page, '01 00 2A')
  await page.getByRole('button', { name: '存为用例' }).click()
  await page.getByLabel('用例名称').fill('正常上报')
  await page.getByLabel('用例名称').press('Enter')
  await told(page, '已存为用例')
  const cases = page.getByRole('region', { name: '测试用例' })
  await cases.getByRole('button', { name: '全部运行' }).click()
  await cases.getByText('1 / 1 通过').waitFor()

  // Nothing of it concerns devices before it is published.
  expect((await call(readCustom, { productID })).transformScript).toBe('')
  await page.getByRole('button', { name: '发布', exact: true }).click()
  await confirmWith(page, '发布脚本？', '发布')
  await page.getByText('解析中', { exact: true }).waitFor()
  expect((await call(readCustom, { productID })).transformScript).toBe(codec)

  await page.reload()
  await cases.getByRole('button', { name: '正常上报', exact: true }).waitFor()
  await editor.getByText('frame of').waitFor()
})
