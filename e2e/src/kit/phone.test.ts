import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { soon } from '#visit.ts'
import { type Gallery, openGallery, queryOf } from './open-gallery.ts'

let gallery: Gallery
beforeAll(async () => {
  gallery = await openGallery()
})
afterEach(() => gallery.rest())
afterAll(() => gallery.close())

const widthOf = (page: Page): Promise<unknown> => page.evaluate('document.documentElement.scrollWidth')

test.each(['/list/counters', '/list/tree', '/list/error', '/list/ok?name=zzz', '/parts', '/inputs', '/forms'])(
  '%s never scrolls sideways at 390 px',
  async (path) => {
    const page = await gallery.openPocket(path)
    await page.locator('main').waitFor()
    await soon(() => widthOf(page)).toBeLessThanOrEqual(390)
  },
)

test('a table becomes cards with the columns that matter', async () => {
  const page = await gallery.openPocket('/list/ok')
  const card = page.locator('.row-card').first()
  await card.locator('.row-card-title').waitFor()
  expect(await page.locator('.ant-table').count()).toBe(0)
  expect(await card.locator('.row-card-title').textContent()).toBe('预制泵站 1')
  expect(await card.locator('.row-card-status').textContent()).toBe('正常')
  expect(await card.locator('.row-card-subtitle').textContent()).toContain('PS3kQ800001')
  expect(await card.textContent()).not.toContain('值守人员')
})

test('the first text filter is in sight and the others wait in a drawer', async () => {
  const page = await gallery.openPocket('/list/ok')
  await page.locator('.row-card').first().waitFor()
  await page.getByRole('searchbox', { name: '名称' }).fill('网关')
  await page.keyboard.press('Enter')
  await soon(() => queryOf(page).get('name')).toBe('网关')
  await page.getByRole('button', { name: '筛选' }).click()
  await page.getByLabel('类型').click()
  await page.getByTitle('乙类').click()
  await page.getByRole('button', { name: '查询' }).click()
  await soon(() => queryOf(page).get('kind')).toBe('2')
  expect(queryOf(page).get('name')).toBe('网关')
})

test('touch targets are at least 44 px', async () => {
  const page = await gallery.openPocket('/list/ok')
  await page.locator('.row-card').first().waitFor()
  const targets = [
    page.getByRole('button', { name: '更多操作' }).first(),
    page.getByRole('button', { name: '筛选' }),
    page.getByRole('button', { name: '刷新' }),
    page.getByRole('button', { name: '新增条目' }),
    page.locator('.row-card-check').first(),
  ]
  for (const target of targets) {
    const box = await target.boundingBox()
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(44)
  }
})

test('all row actions are behind one button', async () => {
  const page = await gallery.openPocket('/list/ok')
  await page.getByRole('button', { name: '更多操作' }).first().click()
  await soon(() => page.getByRole('menuitem').allTextContents()).toEqual(['查看', '编辑', '复制', '删除'])
})

test('a form covers the whole screen with its labels above', async () => {
  const page = await gallery.openPocket('/forms')
  await page.getByRole('button', { name: '打开对话框' }).click()
  await page.getByRole('dialog').waitFor()
  await soon(async () => (await page.locator('.ant-modal-container').boundingBox())?.width).toBe(390)
  expect((await page.locator('.ant-modal-container').boundingBox())?.height).toBeGreaterThanOrEqual(844)
  const label = await page.locator('.ant-form-item-label').first().boundingBox()
  const field = await page.getByLabel('名称').boundingBox()
  expect((label?.y ?? 0) + (label?.height ?? 0)).toBeLessThanOrEqual(field?.y ?? 0)
})

test('spec 9: a phone is known by its user agent whatever its width', async () => {
  const page = await gallery.open('/list/ok', {
    userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15',
  })
  await page.locator('.row-card').first().waitFor()
})

test('nothing of this made the browser complain', () => {
  expect(gallery.complaints.join('\n')).toBe('')
})
