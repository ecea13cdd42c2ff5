/** A fleet arrives by file and by number, is found by tag, marked in bulk and taken out again (screens.md 5). */
import { importColumns } from '@ithings/contract/features/devices/bulk.ts'
import { createDevice, listDevices } from '@ithings/contract/features/devices/info.ts'
import { createProduct } from '@ithings/contract/features/products.ts'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { downloaded, exported, toGbk } from '#files.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { choose, dialog, row, submit, told } from '#screens.ts'
import { administrator, knownAdmin, signInAt } from '#sign-in.ts'
import { addressOf, answered, goToScreen, openPage, pocket, soon } from '#visit.ts'

const listPath = '/deviceMangers/device/index'
const productName = '一体化预制泵站'

let platform: Platform
let browser: Browser
let call: Caller
let productID: string

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
  call = await makeCaller(platform, administrator)
  productID = (await call(createProduct, { productName })).productID
})
afterAll(async () => {
  if (platform) await discard(platform)
})

const countOf = async (keyword = '') => (await call(listDevices, { keyword, page: { page: 1, size: 1 } })).total
const linesOf = (csv: string) => csv.trimEnd().split(/\r?\n/)

async function many(page: Page, entry: string) {
  await page.getByRole('button', { name: /^批量操作/ }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

/** 47 good rows and three bad ones, as a spreadsheet in China saves them. */
function deviceFile(): Buffer {
  const heads = importColumns.map(([, title]) => title)
  const good = Array.from({ length: 47 }, (_, i) => {
    const name = `PS-${String(i + 1).padStart(3, '0')}`
    return [productName, name, `${i + 1} 号泵站`, '', '关闭', `区域:${i === 20 ? '滨江' : '朝阳'}`, '', '', '']
  })
  const bad = [
    [productName, '泵站 48', '名称有汉字', '', '关闭', '', '', '', ''],
    ['没有这个产品', 'PS-049', '产品不存在', '', '关闭', '', '', '', ''],
    [productName, 'PS-050', '位置不对', '', '关闭', '', '"200,95"', '', ''],
  ]
  return toGbk([heads, ...good, ...bad].map((cells) => `${cells.join(',')}\r\n`).join(''))
}

test('fifty rows of a GBK file: three are shown wrong before anything is written, 47 become devices', async () => {
  const page = await openPage(browser, platform)
  await signInAt(page, platform, listPath)
  await many(page, '导入设备')
  const drawer = dialog(page, '导入设备')
  await drawer
    .locator('input[type=file]')
    .setInputFiles({ name: '设备清单.csv', mimeType: 'text/csv', buffer: deviceFile() })

  const figure = (label: string) => drawer.locator('dl > div').filter({ hasText: label }).locator('dd').textContent()
  const write = drawer.getByRole('button', { name: '只导入正确的 47 行' })
  await write.waitFor()
  expect([await figure('总行数'), await figure('可以导入'), await figure('有误')]).toEqual(['50', '47', '3'])
  for (const [number, name] of [
    [48, '泵站 48'],
    [49, 'PS-049'],
    [50, 'PS-050'],
  ] as const) {
    await drawer.getByRole('row', { name: new RegExp(`^${number} .+ ${name}`) }).waitFor()
  }
  expect(await countOf()).toBe(0)

  await write.click()
  const failed = drawer.getByRole('button', { name: '下载失败的行' })
  await failed.waitFor()
  expect([await figure('成功'), await figure('失败')]).toEqual(['47', '3'])
  expect(await countOf()).toBe(47)
  const { text } = await downloaded(page, () => failed.click())
  expect(linesOf(text)).toHaveLength(4)
  for (const name of ['泵站 48', 'PS-049', 'PS-050']) expect(text).toContain(name)
  await submit(drawer, '完成')
  await row(page, '朝阳').first().waitFor()
  await soon(() => page.getByText('共 47 条').count()).toBe(1)
})

test('a series of two thousand is created with its credentials, and one device is found among them by its tag', async () => {
  const page = await openPage(browser, platform)
  await signInAt(page, platform, listPath)
  await many(page, '批量新增')
  const form = dialog(page, /^批量新增设备/)
  await choose(page, form.getByLabel('所属产品'), productName)
  await form.getByLabel('名称前缀').fill('CY-')
  await form.getByLabel('数量').fill('2000')
  await form.getByText('CY-2000').waitFor()
  await submit(form, '开始创建')
  const job = page.getByRole('dialog').filter({ hasText: '已创建 2,000 台' })
  await job.waitFor()
  const file = await downloaded(page, () => job.getByRole('button', { name: /\.csv$/ }).click())
  expect(linesOf(file.text)).toHaveLength(2001)
  expect(file.text).toContain('CY-0001')
  await job.getByRole('button', { name: '关闭', exact: true }).last().click()
  expect(await countOf('CY-')).toBe(2000)

  const filter = page.getByRole('form', { name: '查询条件' })
  await filter.getByLabel('设备标签').fill('区域:滨江')
  await filter.getByLabel('设备标签').press('Enter')
  await filter.getByRole('button', { name: '查询' }).click()
  await page.getByText('共 1 条').waitFor()
  await row(page, 'PS-021').waitFor()
})

test('chosen devices are tagged in bulk and exported by that tag', async () => {
  const page = await openPage(browser, platform)
  await signInAt(page, platform, `${listPath}?keyword=PS-00`)
  await row(page, 'PS-009').waitFor()
  for (const name of ['PS-001', 'PS-002', 'PS-003']) await row(page, name).getByRole('checkbox').check()
  await page.getByRole('button', { name: '设置标签' }).click()
  const modal = dialog(page, '设置标签 · 3 台设备')
  await modal.getByLabel('标签键').fill('期次')
  await modal.getByLabel('标签值').fill('二期')
  await modal.getByRole('button', { name: '添加标签' }).click()
  await submit(modal, '设置标签')
  await told(page, '设置标签：3 台设备成功')

  await page.goto(addressOf(platform, `${listPath}?${new URLSearchParams({ tags: '期次:二期' })}`))
  await page.getByText('共 3 条').waitFor()
  const { text } = await exported(page, page.getByRole('button', { name: '导出', exact: true }), 'CSV')
  expect(linesOf(text)).toHaveLength(4)
  for (const name of ['PS-001', 'PS-002', 'PS-003']) expect(text).toContain(name)
  // The tags from the file stay beside the new one.
  expect(text).toContain('朝阳')
})

test('all devices of a filter are changed on the server, those of other pages too, and lead into the form of a command', async () => {
  const page = await openPage(browser, platform, { allowErrors: [answered(400)] })
  const tag = { tags: '区域:朝阳' }
  await signInAt(page, platform, `${listPath}?${new URLSearchParams(tag)}`)
  await page.getByText('共 46 条').waitFor()
  const bar = page.getByRole('toolbar', { name: '列表工具栏' })
  const chooseAll = async () => {
    await page.getByRole('columnheader').getByRole('checkbox').check()
    await bar.getByRole('button', { name: '选择全部 46 条' }).click()
    await bar.getByText('已选全部 46 台').waitFor()
  }
  await chooseAll()
  // Of several products, perhaps: nothing can be sent to them.
  expect(await bar.getByRole('button', { name: '发送指令' }).isDisabled()).toBe(true)
  await bar.getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '禁用' }).click()
  // Somebody adds one meanwhile: the number that was confirmed no longer holds.
  const modal = dialog(page, '禁用 · 46 台设备')
  const confirm = modal.getByRole('button', { name: '禁用 46 台设备' })
  await confirm.waitFor()
  await call(createDevice, { productID, deviceName: 'late-1', tags: [{ key: '区域', value: '朝阳' }] })
  await confirm.click()
  await page.getByText('已增加到 47 台').waitFor()
  await page.getByRole('button', { name: '禁用 47 台设备' }).click()
  await page.getByRole('dialog').getByText('47 台成功').waitFor()
  const disabled = await call(listDevices, { isEnable: 2, page: { page: 1, size: 1 } })
  expect(disabled.total).toBe(47)
  await page.getByRole('dialog').getByRole('button', { name: '关闭', exact: true }).last().click()
  await soon(() => bar.getByText('已选').count()).toBe(0)

  await goToScreen(page, platform, `${listPath}?${new URLSearchParams({ keyword: 'PS-0', productID })}`, '设备')
  // The list before has as many rows and stands until these have come.
  await soon(() => row(page, 'late-1').count()).toBe(0)
  await page.getByText('共 47 条').waitFor()
  await page.getByRole('columnheader').getByRole('checkbox').check()
  await bar.getByRole('button', { name: '选择全部 47 条' }).click()
  await bar.getByRole('button', { name: '发送指令' }).click()
  const form = dialog(page, '新增任务')
  await form.getByTitle(productName).waitFor()
  await form.getByLabel('任务名称').fill('夜间降频')
  await form.getByRole('button', { name: '下一步' }).click()
  await form.getByText('将影响 47 台').waitFor()
  await form.getByText('设备列表中符合筛选条件的全部设备').waitFor()
})

test('chosen devices lead into the form of an upgrade and of a command, which know them', async () => {
  const page = await openPage(browser, platform)
  await signInAt(page, platform, `${listPath}?keyword=PS-00`)
  const choosePair = async () => {
    for (const name of ['PS-004', 'PS-005']) await row(page, name).getByRole('checkbox').check()
  }
  await choosePair()
  await page.getByRole('button', { name: '升级固件' }).click()
  await dialog(page, '新增升级任务').getByTitle(productName).waitFor()

  await goToScreen(page, platform, `${listPath}?keyword=PS-00`, '设备')
  await choosePair()
  await page.getByRole('button', { name: '发送指令' }).click()
  const form = dialog(page, '新增任务')
  await form.getByTitle(productName).waitFor()
  await form.getByLabel('任务名称').fill('夜间降频')
  await form.getByRole('button', { name: '下一步' }).click()
  await form.getByText('将影响 2 台').waitFor()
})

test('names without a blank stay inside the page of a device on a phone', async () => {
  const { productID } = await call(createProduct, { productName: 'W'.repeat(64) })
  const deviceName = 'n'.repeat(48)
  await call(createDevice, { productID, deviceName, deviceAlias: 'W'.repeat(64) })
  const page = await openPage(browser, platform, { viewport: pocket })
  await signInAt(page, platform, `/deviceMangers/device/detail/${productID}/${deviceName}/1`)
  await page.getByText('设备密钥').waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(0)
})

test('a product leads to the form for its own device, and one click creates it, simulates it and shows its values', async () => {
  const { productID } = await call(createProduct, { productName: '接入练习' })
  const page = await openPage(browser, platform)
  await signInAt(page, platform, `/deviceMangers/product/detail/${productID}?tab=devices`)
  await page.getByRole('button', { name: '新增设备' }).click()
  const form = dialog(page, /^新增设备/)
  await form.getByTitle('接入练习').waitFor()
  await form.getByLabel('设备名称').fill('first-1')
  await submit(form, '创建并模拟')
  const title = page.getByRole('heading', { level: 1, name: /^first-1/ })
  await title.getByText('模拟').waitFor()
  await title.getByText('在线').waitFor()
  expect(page.url()).toContain(`/device/detail/${productID}/first-1/9`)
  expect((await call(listDevices, { productID })).list).toMatchObject([{ deviceName: 'first-1', isSimulated: 1 }])
  // Back leads to the list without the form.
  await page.goBack()
  await row(page, 'first-1').waitFor()
  expect(await form.isVisible()).toBe(false)
})
