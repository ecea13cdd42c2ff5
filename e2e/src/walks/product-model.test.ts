/** A pump station is modelled in the editor, carried to another product as tsl.json, changed and rolled back (screens.md 4.2). */
import { createProduct, DataProto, listProducts } from '@ithings/contract/features/products.ts'
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeCaller } from '#api.ts'
import { launchBrowser } from '#browser.ts'
import { downloaded } from '#files.ts'
import { discard, type Platform, startPlatform } from '#platform.ts'
import { choose, confirmWith, dialog, row, submit, told } from '#screens.ts'
import { administrator, knownAdmin, signInAt } from '#sign-in.ts'
import { addressOf, openPage, soon } from '#visit.ts'

let platform: Platform
let browser: Browser

beforeAll(async () => {
  platform = await startPlatform({ env: knownAdmin })
  browser = await launchBrowser()
})
afterAll(async () => {
  if (platform) await discard(platform)
})

/** One of the choices shown side by side. */
const pick = (form: Locator, group: string, option: string) =>
  form.getByLabel(group, { exact: true }).first().getByText(option, { exact: true }).click()

async function fillAll(form: Locator, texts: Record<string, string>): Promise<void> {
  for (const [label, text] of Object.entries(texts)) {
    await form
      .getByLabel(new RegExp(`^${label}`))
      .first()
      .fill(text)
  }
}

/** A member or parameter that was just added; it is called by its number until it has a name. */
async function fillMember(page: Page, form: Locator, number: string, name: string, identifier: string, type: string) {
  await form.getByRole('group', { name: number }).getByLabel(/^名称/).fill(name)
  const member = form.getByRole('group', { name, exact: true })
  await member.getByLabel(/^标识符/).fill(identifier)
  if (type !== '整数型') await choose(page, member.getByLabel(/^数据类型/), type)
  return member
}

type Fill = (form: Locator, page: Page) => Promise<void>
const noMore: Fill = async () => undefined
const numbers = (min: string, max: string, step: string, unit: string): Fill => {
  return (form) => fillAll(form, { 最小值: min, 最大值: max, 步长: step, 单位: unit })
}

/** Name, identifier, type, the rest of the form: each of the eight types once. */
const properties: [name: string, identifier: string, type: string, fill: Fill][] = [
  ['1 号泵', 'pump1_on', '布尔型', (form) => fillAll(form, { '0 的说明': '停止', '1 的说明': '运行' })],
  ['变频频率', 'freq', '整数型', numbers('0', '50', '1', 'Hz')],
  ['出水压力', 'outlet_pressure', '浮点型', numbers('0', '1.6', '0.01', 'MPa')],
  ['站点名称', 'site_name', '字符串', (form) => fillAll(form, { 最大长度: '64' })],
  [
    '运行模式',
    'run_mode',
    '枚举整型',
    async (form) => {
      await form.getByRole('button', { name: '添加一项' }).click()
      await fillAll(form, { '第 1 项描述': '手动', '第 2 项描述': '自动', '第 3 项描述': '检修' })
    },
  ],
  ['上次检修', 'last_maint', '时间型', noMore],
  [
    '三相电流',
    'phase_current',
    '结构体',
    async (form, page) => {
      const ia = await fillMember(page, form, '第 1 个成员', 'A 相', 'ia', '浮点型')
      await numbers('0', '400', '0.1', 'A')(ia, page)
      await form.getByRole('button', { name: '添加成员' }).click()
      await fillMember(page, form, '第 2 个成员', '缺相', 'missing', '布尔型')
    },
  ],
  ['泵组转速', 'pump_speeds', '数组', numbers('0', '3000', '1', 'rpm')],
]

const opened = async (page: Page, kind: string): Promise<Locator> => {
  await page.getByRole('button', { name: '新增功能' }).first().click()
  const form = dialog(page, /^新增属性/)
  await form.waitFor()
  if (kind !== '属性') await pick(form, '功能类型', kind)
  return dialog(page, new RegExp(`^新增${kind}`))
}

async function save(form: Locator): Promise<void> {
  await submit(form)
  await form.waitFor({ state: 'hidden' })
}

async function addProperties(page: Page) {
  for (const [name, identifier, type, fill] of properties) {
    const form = await opened(page, '属性')
    await fillAll(form, { 功能名称: name, 标识符: identifier })
    await pick(form, '数据类型', type)
    await fill(form, page)
    await save(form)
    await row(page, identifier).waitFor()
    expect(await row(page, identifier).textContent()).toContain(type)
  }
}

async function addEventAndAction(page: Page) {
  const event = await opened(page, '事件')
  await fillAll(event, { 功能名称: '液位超限', 标识符: 'level_high' })
  await pick(event, '事件类型', '告警')
  await event.getByRole('button', { name: '添加参数' }).click()
  await numbers('0', '6', '0.01', 'm')(await fillMember(page, event, '第 1 个参数', '液位', 'level', '浮点型'), page)
  await save(event)
  await row(page, 'level_high').waitFor()

  const action = await opened(page, '行为')
  await fillAll(action, { 功能名称: '启动水泵', 标识符: 'start_pump' })
  await pick(action, '调用方向', '下行')
  const [input, output] = [0, 1].map((nth) => action.getByRole('button', { name: '添加参数' }).nth(nth))
  await input?.click()
  await fillMember(page, action, '第 1 个参数', '延时', 'delay', '整数型')
  await output?.click()
  await fillMember(page, action, '第 1 个参数', '是否启动', 'started', '布尔型')
  await save(action)
  await row(page, 'start_pump').waitFor()
}

async function exportTsl(page: Page): Promise<string> {
  await page.getByRole('button', { name: '查看 JSON' }).click()
  const drawer = dialog(page, '物模型 JSON')
  const file = await downloaded(page, () => drawer.getByRole('button', { name: /下载$/ }).click())
  expect(file.name).toBe('tsl.json')
  await drawer.getByRole('button', { name: '关闭' }).or(drawer.getByLabel('Close')).first().click()
  await drawer.waitFor({ state: 'hidden' })
  return file.text
}

async function compareWith(page: Page, tsl: string): Promise<Locator> {
  await page.getByRole('button', { name: '导入物模型' }).first().click()
  const drawer = dialog(page, '导入物模型')
  const file = { name: 'tsl.json', mimeType: 'application/json', buffer: Buffer.from(tsl) }
  await drawer.locator('input[type=file]').setInputFiles(file)
  await submit(drawer, '下一步：对比')
  return drawer
}

/** Without what names the product itself. */
const modelOf = (tsl: string) => {
  const { profile: _, ...model } = JSON.parse(tsl)
  return model
}

test('a pump station is modelled, exported, imported unchanged, changed and rolled back', async () => {
  const call = await makeCaller(platform, administrator)
  const page = await openPage(browser, platform)
  await signInAt(page, platform, '/deviceMangers/product/index')
  await page.locator('.list-page').getByRole('button', { name: '新增产品' }).first().click()
  const form = dialog(page, '新增产品')
  await form.getByLabel('产品名称').fill('一体化预制泵站')
  await submit(form, '创建')
  await dialog(page, '产品已创建，接下来').getByRole('button', { name: '去定义' }).click()
  // Whoever chose nothing speaks JSON: no script has to be written.
  expect((await call(listProducts, {})).list).toMatchObject([{ dataProto: DataProto.template }])
  await page.getByRole('heading', { name: /^一体化预制泵站/, level: 1 }).waitFor()
  // The frame says what is open, not what kind of page it is (screens.md 1).
  await soon(() => page.getByRole('navigation', { name: '面包屑' }).textContent()).toBe('设备管理/产品/一体化预制泵站')
  await soon(() => page.title()).toMatch(/^一体化预制泵站 - /)

  await addProperties(page)
  await addEventAndAction(page)
  await page.getByText('属性 8，事件 1，行为 1').waitFor()
  const tsl = await exportTsl(page)
  expect(modelOf(tsl)).toMatchObject({
    properties: properties.map(([name, identifier]) => ({ name, identifier })),
    events: [{ identifier: 'level_high', type: 'alert', params: [{ identifier: 'level' }] }],
    actions: [{ identifier: 'start_pump', dir: 'down', input: [{ identifier: 'delay' }] }],
  })

  const first = page.url()
  const { productID } = await call(createProduct, { productName: '泵站二期' })
  await page.goto(addressOf(platform, `/deviceMangers/product/detail/${productID}?tab=model`))
  const drawer = await compareWith(page, tsl)
  await drawer
    .getByText('新增 10')
    .or(drawer.getByText(/^\s*新增\s*10$/))
    .first()
    .waitFor()
  await submit(drawer, '合并')
  await drawer.getByText('导入完成：新增 10').waitFor()
  await submit(drawer, '完成')
  await row(page, 'phase_current').waitFor()
  expect(modelOf(await exportTsl(page))).toEqual(modelOf(tsl))
  const again = await compareWith(page, tsl)
  await again.getByText('内容相同，没有差异。').waitFor()
  expect(await again.getByRole('button', { name: '合并', exact: true }).isDisabled()).toBe(true)

  await page.goto(first)
  await changeLimit(page)
  await rollBack(page)
})

async function changeLimit(page: Page) {
  await page.getByRole('button', { name: '变频频率' }).click()
  const form = dialog(page, /^编辑属性/)
  // screens.md 4.2: limits are compared as numbers, so 9 is less than 50.
  await fillAll(form, { 最小值: '50', 最大值: '9' })
  await submit(form)
  await form.getByText('处待修正').waitFor()
  await fillAll(form, { 最小值: '0', 最大值: '60' })
  await save(form)
  await row(page, /freq.*60/).waitFor()
}

async function rollBack(page: Page) {
  await page.getByRole('button', { name: '版本' }).click()
  const drawer = dialog(page, '物模型版本')
  // Eight properties, one event, one action, one change.
  await drawer.getByText('v11', { exact: true }).waitFor()
  await drawer.getByText('v10', { exact: true }).click()
  await drawer.getByText('变频频率').first().waitFor()
  await drawer.getByText('最大值').first().waitFor()
  await submit(drawer, '恢复到此版本')
  await confirmWith(page, '恢复到版本 10？', '恢复')
  await told(page, '已恢复到版本 10')
  await drawer.getByText('v12', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await row(page, /freq.*50/).waitFor()
}
