/** What somebody sees in a list goes home as a file: filtered, sorted, with the words of the screen. */
import { createProduct, listProducts } from '@ithings/contract/features/products.ts'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { exported, sheetOf } from '#files.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { row } from '#screens.ts'
import { administrator, knownAdmin, signInAt } from '#sign-in.ts'
import { addressOf, openPage, pocket } from '#visit.ts'

let platform: Platform
let browser: Browser
let call: Caller
const pumps = Array.from({ length: 12 }, (_, at) => `泵 ${String(at + 1).padStart(2, '0')}`)

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
  call = await makeCaller(platform, administrator)
  for (const productName of [...pumps, '=HYPERLINK("x")', '阀']) await call(createProduct, { productName })
})
afterAll(async () => {
  if (platform) await discard(platform)
})

const listPath = '/deviceMangers/product/index'

test('a list that is filtered and sorted is a sheet with all of its pages, and no cell is a formula', async () => {
  const page = await openPage(browser, platform)
  await signInAt(page, platform, `${listPath}?${new URLSearchParams({ productName: '泵', sort: 'createdTime.1' })}`)
  await page.getByText('共 12 条').waitFor()
  const button = page.getByRole('button', { name: '导出', exact: true })
  const file = await exported(page, button, 'Excel (XLSX)')
  expect(file.name).toBe('产品.xlsx')
  const rows = sheetOf(file.bytes)
  expect(rows.map((cells) => cells.产品名称)).toEqual(pumps)
  expect(rows[0]).toMatchObject({ 设备类型: '设备', 在线: '0', 设备数: '0', '产品 ID': expect.any(String) })
  const { list } = await call(listProducts, { productName: pumps[0] ?? '' })
  // A real date of Excel: days since the end of 1899, by the clock of who asked.
  const wall = await page.evaluate(
    (ms) => ms - new Date(ms).getTimezoneOffset() * 60_000,
    Number(list[0]?.createdTime) * 1000,
  )
  expect(Math.abs((Number(rows[0]?.创建时间) - 25_569) * 86_400_000 - wall)).toBeLessThan(1_000)

  await page.goto(addressOf(platform, `${listPath}?${new URLSearchParams({ productName: 'HYPER' })}`))
  await row(page, '=HYPERLINK').waitFor()
  const { text } = await exported(page, button, 'CSV')
  expect(text).toContain(`"'=HYPERLINK(""x"")"`)
})

test('on a phone the same button asks for the same file', async () => {
  const page = await openPage(browser, platform, { viewport: pocket })
  await signInAt(page, platform, `${listPath}?${new URLSearchParams({ productName: '阀' })}`)
  await page.getByText('共 1 条').waitFor()
  const file = await exported(page, page.getByRole('button', { name: '导出', exact: true }), 'Parquet')
  expect(file.bytes.subarray(0, 4).toString()).toBe('PAR1')
})

test('the charts of the large screen are files, too', async () => {
  const page = await openPage(browser, platform)
  await signInAt(page, platform, '/home')
  const panel = (name: string) => page.getByRole('button', { name: `导出「${name}」` })
  const curve = await exported(page, panel('消息速率'), 'CSV')
  expect(curve.name).toBe('消息速率.csv')
  expect(curve.text.split(/\r?\n/)[0]).toMatch(/时间,消息速率,昨日$/)
  const days = sheetOf((await exported(page, panel('近 7 天新增'), 'Excel (XLSX)')).bytes)
  expect(days).toHaveLength(7)
  expect(days[6]).toMatchObject({ 日期: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), 紧急: '0', 提醒: '0' })
  const rings = await exported(page, panel('设备构成'), 'CSV')
  const [heads = '', figures = ''] = rings.text.trim().split(/\r?\n/)
  expect(heads).toMatch(/时间,设备总数,子设备,直连设备,网关,在线,离线,未激活$/)
  expect(figures).toMatch(/Z,0,0,0,0,0,0,0$/)
})
