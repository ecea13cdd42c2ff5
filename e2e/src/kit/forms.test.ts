import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { told } from '#screens.ts'
import { soon } from '#visit.ts'
import { type Gallery, openGallery, stopClock } from './open-gallery.ts'

let gallery: Gallery
beforeAll(async () => {
  gallery = await openGallery()
})
afterEach(() => gallery.rest())
afterAll(() => gallery.close())

async function openForm(button = '打开对话框', show: (path: string) => Promise<Page> = gallery.open) {
  const page = await show('/forms')
  await page.getByRole('button', { name: button }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('名称').waitFor()
  return { page, dialog }
}

const saved = (page: Page) => page.getByTestId('saved').textContent()
const problems = (page: Page) => page.locator('.ant-form-item-explain-error').allTextContents()

test('a form is checked by the schema and counts what is to be corrected', async () => {
  const { page, dialog } = await openForm()
  await dialog.getByRole('button', { name: '保存' }).click()
  await soon(() => problems(page)).toEqual(['名称不能为空'])
  await soon(() => page.locator('.form-problems').textContent()).toBe('1 处待修正')
  await dialog.getByLabel('名称').fill('泵')
  await soon(() => problems(page)).toEqual(['名称不能少于 2 个字符'])
  await dialog.getByLabel('名称').fill('泵站')
  await soon(() => page.locator('.form-problems').count()).toBe(0)
})

test('required fields are marked by asking the schema', async () => {
  const { page } = await openForm()
  expect(await page.locator('.ant-form-item:has(.required-mark) label').allTextContents()).toEqual(['名称*', '类型*'])
})

test('Enter submits, the parsed values arrive and the dialog closes', async () => {
  const { page, dialog } = await openForm()
  await dialog.getByLabel('名称').fill('  泵站  ')
  await page.keyboard.press('Enter')
  await told(page, '创建成功')
  await soon(() => dialog.count()).toBe(0)
  expect(JSON.parse((await saved(page)) ?? '')).toEqual({ id: '7', name: '泵站', kind: 1 })
})

test('while it saves the button waits and nothing can be changed', async () => {
  const { page, dialog } = await openForm('打开对话框', gallery.openWithClock)
  await dialog.getByLabel('名称').fill('泵站')
  // The sample saves for 300 ms of the page's clock: stopped, it goes on saving until it is told otherwise.
  await stopClock(page)
  await page.keyboard.press('Enter')
  await page.locator('.ant-btn-primary:disabled').waitFor()
  expect(await dialog.getByLabel('名称').isDisabled()).toBe(true)
  await page.clock.runFor(1000)
  await page.getByText('创建成功').waitFor()
})

test('a rule over two fields speaks at the field it belongs to', async () => {
  const { page, dialog } = await openForm()
  await dialog.getByLabel('名称').fill('泵站')
  await dialog.getByLabel('下限').fill('9')
  await dialog.getByLabel('上限').fill('5')
  await page.keyboard.press('Enter')
  await soon(() => problems(page)).toEqual(['上限不能小于下限'])
  expect(await saved(page)).toBe('')
})

test('a refusal of the server that names a field stands at that field', async () => {
  const { page, dialog } = await openForm()
  await dialog.getByLabel('名称').fill('重名')
  await page.keyboard.press('Enter')
  await soon(() => problems(page)).toEqual(['名称 重名 已存在，请换一个'])
  await soon(() => page.locator('.form-problems').textContent()).toBe('1 处待修正')
  expect(await dialog.getByRole('alert').filter({ hasText: '请求编号' }).count()).toBe(0)
})

test('any other refusal stands above the buttons with its request id, and the input stays', async () => {
  const { page, dialog } = await openForm('打开抽屉')
  await dialog.getByLabel('名称').fill('故障')
  await page.keyboard.press('Enter')
  const alert = page.locator('.form-footer .ant-alert')
  await alert.waitFor()
  expect(await alert.textContent()).toContain('数据库错误')
  expect(await alert.textContent()).toContain('9c1e47d2a8b04f63')
  expect(await dialog.getByLabel('名称').inputValue()).toBe('故障')
})

test('leaving with changes asks first; without changes it does not', async () => {
  const { page, dialog } = await openForm()
  await dialog.getByLabel('名称').fill('泵站')
  await dialog.getByRole('button', { name: '取消' }).click()
  await page.locator('.ant-modal-confirm-title', { hasText: '确认放弃修改？' }).waitFor()
  await page.getByRole('button', { name: '继续编辑' }).and(page.locator(':focus')).click()
  expect(await page.getByLabel('名称').inputValue()).toBe('泵站')
  await page.getByLabel('名称').fill('')
  await soon(() => page.getByText('确认放弃修改？').count()).toBe(0)
  await page.locator('.form-modal').getByRole('button', { name: '取消' }).click()
  await soon(() => page.locator('.form-modal').count()).toBe(0)
})

test.each(['打开对话框', '打开抽屉'])('typing begins in the first field: %s', async (button) => {
  const { page, dialog } = await openForm(button)
  await dialog.getByLabel('名称').and(page.locator(':focus')).waitFor()
})

test('a form opened again starts afresh', async () => {
  const { page, dialog } = await openForm()
  await dialog.getByLabel('名称').fill('泵站')
  await dialog.getByRole('button', { name: '取消' }).click()
  await page.getByRole('button', { name: '放弃修改' }).click()
  await soon(() => page.locator('.form-modal').count()).toBe(0)
  await page.getByRole('button', { name: '打开对话框' }).click()
  await page.getByLabel('名称').waitFor()
  expect(await page.getByLabel('名称').inputValue()).toBe('')
})

test('spec 9: a horizontal form has its label in span 4 and its field in span 14', async () => {
  const { page } = await openForm()
  const item = page.locator('.ant-form-item').first()
  expect(await item.locator('.ant-form-item-label.ant-col-4').count()).toBe(1)
  expect(await item.locator('.ant-form-item-control.ant-col-14').count()).toBe(1)
})

test('the drawer is 560 px wide, its header 56, its labels above, and says that it is not saved', async () => {
  const { page, dialog } = await openForm('打开抽屉')
  await soon(async () => (await page.locator('.ant-drawer-content-wrapper').boundingBox())?.width).toBe(560)
  expect((await page.locator('.ant-drawer-header').boundingBox())?.height).toBe(56)
  expect((await page.locator('.ant-drawer-footer').boundingBox())?.height).toBeGreaterThanOrEqual(56)
  expect(await page.locator('.ant-form-vertical').count()).toBe(1)
  await dialog.getByLabel('名称').fill('泵站')
  await page.getByText('未保存').waitFor()
})

test('a read-only form has nothing to save', async () => {
  const { dialog } = await openForm('只读抽屉')
  expect(await dialog.getByLabel('名称').isDisabled()).toBe(true)
  expect(await dialog.getByRole('button', { name: '保存' }).count()).toBe(0)
})

test('a confirmation waits for its work and closes', async () => {
  const page = await gallery.open('/forms')
  await page.getByRole('button', { name: '删除泵站' }).click()
  const dialog = page.getByRole('dialog')
  expect(await dialog.textContent()).toContain('它的 12 条记录会一起删除，且无法恢复。')
  await dialog.getByRole('button', { name: '删除' }).click()
  await told(page, '删除成功')
  await soon(() => dialog.count()).toBe(0)
})

test('a confirmation whose work fails stays open and says why', async () => {
  const page = await gallery.open('/forms')
  await page.getByRole('button', { name: '删除故障' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: '删除' }).click()
  await dialog.getByText('数据库错误').waitFor()
  await dialog.getByRole('button', { name: '取消' }).click()
  await soon(() => dialog.count()).toBe(0)
})

test('typing the name unlocks a dangerous confirmation', async () => {
  const page = await gallery.open('/forms')
  await page.getByRole('button', { name: '输入名称删除' }).click()
  const button = page.getByRole('dialog').getByRole('button', { name: '删除' })
  expect(await button.isDisabled()).toBe(true)
  await page.getByRole('dialog').getByRole('textbox').fill('泵站')
  await soon(() => button.isEnabled()).toBe(true)
  await button.click()
  await told(page, '删除成功')
})

test('nothing of this made the browser complain', () => {
  expect(gallery.complaints.join('\n')).toBe('')
})
