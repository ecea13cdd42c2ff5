/** Somebody makes a report, sees what it will tell before saving, runs it and takes its file home. */
import { listReports } from '@ithings/contract/features/reports.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { connectDevice } from '#device.ts'
import { downloaded } from '#files.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { makePlant, makePump, productName, reportTemp } from '#pump-plant.ts'
import { act, choose, confirmWith, dialog, row, submit, told } from '#screens.ts'
import { administrator, knownAdmin, signInAt } from '#sign-in.ts'
import { openPage } from '#visit.ts'

const shots = process.env.SHOTS
const list = '/operationsMonitorings/report/index'
let platform: Platform
let browser: Browser
let call: Caller

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
  call = await makeCaller(platform, administrator)
  await makePlant(call)
  const pump = await connectDevice(platform, call, await makePump(call, 'pump1', '一号泵'))
  await reportTemp(pump, 21.5)
})
afterAll(async () => {
  if (platform) await discard(platform)
})

const photograph = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: `${shots}/reports-${name}.png` })
}

test('a report is previewed, saved, run for today and downloaded; deleting it asks first', async () => {
  const page = await openPage(browser, platform)
  await signInAt(page, platform, list)
  await page.getByText('还没有报表').waitFor()
  await page.getByRole('button', { name: '新增报表' }).first().click()
  const form = dialog(page, '新增报表')
  await form.getByRole('button', { name: '生成预览' }).click()
  await form.getByText('产品须选择').waitFor()

  await form.getByLabel('报表名称').fill('泵站日报')
  await choose(page, form.getByLabel(/^产品\*?$/), productName)
  await choose(page, form.getByLabel('属性', { exact: true }), '水泵温度')
  await page.keyboard.press('Escape')
  await form.getByRole('radio', { name: 'CSV' }).check()
  await form.getByRole('button', { name: '生成预览' }).click()
  const preview = form.locator('.report-preview')
  await preview.getByText('平均在线比例').waitFor()
  await preview.getByRole('heading', { name: '属性统计' }).waitFor()
  await preview.getByRole('cell', { name: '一号泵' }).first().waitFor()
  await photograph(page, 'preview')
  expect((await call(listReports, {})).total).toBe(0)
  await submit(form)
  await told(page, '新增成功')

  await act(page, '泵站日报', '立即生成')
  const run = dialog(page, '立即生成「泵站日报」')
  await run.getByRole('radio', { name: '自选' }).check()
  await photograph(page, 'run')
  await submit(run, '生成')
  const history = dialog(page, '「泵站日报」的历史')
  await history.getByText('已完成').waitFor()
  await photograph(page, 'history')
  const file = await downloaded(page, () => history.getByRole('button', { name: /泵站日报-\d{8}.*\.zip/ }).click())
  expect(file.name).toMatch(/^泵站日报-\d{8}.*\.zip$/)
  await page.keyboard.press('Escape')
  await history.waitFor({ state: 'hidden' })

  await act(page, '泵站日报', '编辑')
  const edit = dialog(page, '编辑报表「泵站日报」')
  await edit.getByRole('radio', { name: '每周' }).check()
  await edit.getByText('统计上一周（周一到周日）').waitFor()
  await submit(edit)
  await told(page, '更新成功')
  await row(page, '每周一 08:00').waitFor()
  await photograph(page, 'list')

  await act(page, '泵站日报', '删除')
  await confirmWith(page, '删除报表「泵站日报」？', '删除')
  await page.getByText('还没有报表').waitFor()
})
