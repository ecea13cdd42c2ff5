import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { told } from '#screens.ts'
import { soon } from '#visit.ts'
import { type Gallery, openGallery, queryOf } from './open-gallery.ts'

let gallery: Gallery
beforeAll(async () => {
  gallery = await openGallery()
})
afterEach(() => gallery.rest())
afterAll(() => gallery.close())

const rows = (page: Page) => page.locator('.ant-table-row')
const names = (page: Page) => page.locator('.ant-table-row td:nth-child(3)')
const head = (page: Page) => page.locator('.ant-table-thead th').allTextContents()

async function openList(query = '', mode = 'ok') {
  const page = await gallery.open(`/list/${mode}${query}`)
  await rows(page).first().waitFor()
  return page
}

/** Waits until the query of the URL says so. */
const untilQuery = (page: Page, name: string, value: string | null) => soon(() => queryOf(page).get(name)).toBe(value)

test('the first load shows a skeleton of the table and no spinner', async () => {
  const page = await gallery.open('/list/slow')
  await page.locator('.table-skeleton').waitFor()
  expect(await page.locator('.skeleton-row').count()).toBe(11)
  expect(await page.locator('.ant-spin').count()).toBe(0)
  expect(await page.getByText('还没有条目').count()).toBe(0)
})

test('spec 9: ten rows a page from page 1, and the total', async () => {
  const page = await openList()
  expect(await rows(page).count()).toBe(10)
  expect(await page.locator('.list-total').textContent()).toBe('共 96 条')
  expect(await page.locator('.ant-pagination-item-active').textContent()).toBe('1')
})

test('the page is in the URL and Back returns to the one before', async () => {
  const page = await openList()
  await page.locator('.ant-pagination-item-3').click()
  await untilQuery(page, 'page', '3')
  await page.getByText('冷链追踪器 26').waitFor()
  await page.goBack()
  await page.getByText('预制泵站 1', { exact: true }).waitFor()
  expect(queryOf(page).get('page')).toBeNull()
})

test('spec 5: a page beyond the last one is clamped to it', async () => {
  const page = await openList('?page=99')
  await untilQuery(page, 'page', '10')
  await soon(() => rows(page).count()).toBe(6)
})

test('spec 5: a page below 1 or no number counts as 1', async () => {
  for (const bad of ['0', '-3', 'abc']) {
    const page = await openList(`?page=${bad}`)
    expect(await page.locator('.ant-pagination-item-active').textContent()).toBe('1')
  }
})

test('another page size goes to the URL and to page 1', async () => {
  const page = await openList('?page=4')
  await page.locator('.ant-pagination-options .ant-select').click()
  await page.getByText('20 条/页').click()
  await untilQuery(page, 'size', '20')
  await soon(() => rows(page).count()).toBe(20)
  expect(queryOf(page).get('page')).toBeNull()
})

test('the heads of a long list stay in sight', async () => {
  const page = await openList('?size=50')
  await soon(() => rows(page).count()).toBe(50)
  await page.evaluate(() => scrollTo(0, 1_000))
  await soon(async () => (await page.locator('.ant-table-thead').boundingBox())?.y).toBe(0)
  await page.evaluate(() => scrollTo(0, 0))
})

test('Enter in a filter searches; 重置 clears', async () => {
  const page = await openList()
  await page.getByRole('textbox', { name: '名称' }).fill('网关')
  expect(queryOf(page).get('name')).toBeNull()
  await page.keyboard.press('Enter')
  await untilQuery(page, 'name', '网关')
  await soon(() => page.locator('.list-total').textContent()).toBe('共 14 条')
  await page.getByRole('button', { name: '重置' }).click()
  await untilQuery(page, 'name', null)
  await soon(() => page.getByRole('textbox', { name: '名称' }).inputValue()).toBe('')
})

test('重置 also drops what was typed but never searched for', async () => {
  const page = await openList()
  const field = page.getByRole('textbox', { name: '名称' })
  await field.fill('网关')
  await page.getByRole('button', { name: '重置' }).click()
  await soon(() => field.inputValue()).toBe('')
})

test('advanced filters hide behind 展开 and a shared link opens them', async () => {
  const page = await openList()
  expect(await page.getByLabel('编号').count()).toBe(0)
  await page.getByRole('button', { name: '展开' }).click()
  await page.getByLabel('编号').waitFor()
  const shared = await openList('?code=00001')
  expect(await shared.getByLabel('编号').inputValue()).toBe('00001')
})

test('no match lists the active filters, each removable, and 清空筛选', async () => {
  const page = await gallery.open('/list/ok?name=zzz&kind=2')
  const state = page.locator('[data-state=no-match]')
  await state.waitFor()
  expect(await state.locator('.ant-tag').allTextContents()).toEqual(['名称：zzz', '类型：乙类'])
  await state.locator('.ant-tag').first().getByRole('button').click()
  await soon(() => page.locator('.list-total').textContent()).toBe('共 32 条')
  await page.goBack()
  await state.getByRole('button', { name: '清空筛选' }).click()
  await soon(() => page.locator('.list-total').textContent()).toBe('共 96 条')
})

test('an empty list says what it is and offers one step', async () => {
  const page = await gallery.open('/list/empty')
  const state = page.locator('[data-state=empty]')
  await state.waitFor()
  expect(await state.locator('h2').textContent()).toBe('还没有条目')
  expect(await state.getByRole('button').count()).toBe(1)
  expect(await state.locator('.art-add').isVisible()).toBe(true)
  // Who may not add anything is shown no "+".
  const drawn = await state.evaluate((one) => {
    const bare = one.cloneNode(true) as HTMLElement
    bare.querySelector('.state-block-action')?.replaceChildren()
    document.body.append(bare)
    const { display } = getComputedStyle(bare.querySelector('.art-add') as Element)
    bare.remove()
    return display
  })
  expect(drawn).toBe('none')
})

test('an error shows reason and request id, and 重试 reads again', async () => {
  const page = await gallery.open('/list/error-once')
  const state = page.locator('[data-state=error]')
  await state.waitFor()
  expect(await state.textContent()).toContain('服务 30 秒内没有响应（100016）')
  expect(await state.textContent()).toContain('9c1e47d2a8b04f63')
  await state.getByRole('button', { name: '重试' }).click()
  await rows(page).first().waitFor()
})

test('a refused permission names the page and whom to ask', async () => {
  const page = await gallery.open('/list/forbidden')
  const state = page.locator('[data-state=forbidden]')
  await state.waitFor()
  expect(await state.locator('h2').textContent()).toBe('你没有查看「条目」的权限')
  expect(await state.textContent()).toContain('请联系系统管理员')
  expect(await state.getByRole('button', { name: '返回上一页' }).count()).toBe(1)
})

test('no answer from the server is told apart from an error', async () => {
  const page = await gallery.open('/list/offline')
  await page.locator('[data-state=offline]').waitFor()
})

test('a refresh that fails keeps the rows and says from when they are', async () => {
  const page = await openList('', 'stale')
  await page.getByRole('button', { name: '刷新' }).click()
  const banner = page.locator('.stale-banner')
  await banner.waitFor()
  expect(await banner.textContent()).toMatch(/当前显示 \d\d:\d\d:\d\d 的数据/)
  expect(await rows(page).count()).toBe(10)
})

test('sorting is asked from the server and kept in the URL', async () => {
  const page = await openList()
  await page.locator('.ant-table-column-has-sorters', { hasText: '创建时间' }).click()
  await untilQuery(page, 'sort', 'createdTime.1')
  await soon(() => names(page).first().textContent()).toBe('冷链追踪器 96')
})

test('a counter is a filter and shows that it is on', async () => {
  const page = await openList('', 'counters')
  const bad = page.locator('.counter', { hasText: '异常' })
  await bad.click()
  await untilQuery(page, 'state', '2')
  await soon(() => bad.getAttribute('aria-pressed')).toBe('true')
  await page.locator('.counter', { hasText: '全部' }).click()
  await untilQuery(page, 'state', null)
})

test('columns are hidden and moved by keyboard alone, stay after a reload and can be reset', async () => {
  const page = await openList()
  const before = await head(page)
  await page.getByRole('button', { name: '列设置' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox', { name: '备注' }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('button', { name: '上移 状态' }).focus()
  await page.keyboard.press('Enter')
  const after = ['', '序号', '名称', '编号', '状态', '类型', '创建时间', '操作']
  await soon(() => head(page)).toEqual(after)
  await page.reload()
  await rows(page).first().waitFor()
  expect(await head(page)).toEqual(after)
  await page.getByRole('button', { name: '列设置' }).click()
  await page.getByRole('button', { name: '恢复默认' }).click()
  await soon(() => head(page)).toEqual(before)
})

test('spec 9: the settings list is at most 400 high', async () => {
  const page = await openList()
  await page.getByRole('button', { name: '列设置' }).click()
  const list = page.locator('.column-list')
  await list.waitFor()
  const style = 'getComputedStyle(document.querySelector(".column-list")).maxHeight'
  expect(await page.evaluate(style)).toBe('400px')
})

test('rows are 40 px and 32 px when compact', async () => {
  const page = await openList()
  const height = async () => (await rows(page).first().boundingBox())?.height
  expect(await height()).toBe(40)
  await page.getByRole('button', { name: '密度', exact: true }).last().click()
  await soon(height).toBe(32)
})

test('the selection bar replaces the toolbar at the same height and counts across pages', async () => {
  const page = await openList()
  const bar = page.locator('.list-toolbar')
  const before = (await bar.boundingBox())?.height
  await rows(page).first().getByRole('checkbox').check()
  await page.locator('.ant-pagination-item-2').click()
  await page.getByText('冷链追踪器 12').waitFor()
  await rows(page).first().getByRole('checkbox').check()
  await soon(() => page.locator('.selection-bar').textContent()).toContain('已选 2 项')
  expect((await bar.boundingBox())?.height).toBe(before)
  await page.getByRole('button', { name: '取消选择' }).click()
  await soon(() => page.locator('.selection-bar').count()).toBe(0)
})

test('the first two row actions are plain, the rest behind ••• and reachable by keyboard', async () => {
  const page = await openList()
  const first = rows(page).first()
  expect(await first.locator('.row-actions button').allTextContents()).toEqual(['查看', '编辑', ''])
  await first.getByRole('button', { name: '更多操作' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: '删除' }).click()
  await told(page, '删除 预制泵站 1')
})

test('rows that are chosen are a file at once, with a byte order mark and no formulas', async () => {
  const page = await openList('?kind=1')
  await page.locator('thead').getByRole('checkbox').check()
  const waiting = page.waitForEvent('download')
  await page.getByRole('button', { name: '导出所选' }).click()
  const file = await waiting
  expect(file.suggestedFilename()).toMatch(/^条目-\d{8}-\d{6}\.csv$/)
  const text = await readFile(await file.path(), 'utf8')
  const lines = text.trimEnd().split('\r\n')
  expect(lines[0]).toBe('\uFEFF名称,编号,类型,状态,备注,创建时间')
  expect(lines).toHaveLength(11)
  expect(lines[1]).toContain("'=1+1")
})

test('a tree is shown whole, without paging', async () => {
  const page = await openList('', 'tree')
  expect(await page.locator('.list-pagination').count()).toBe(0)
  await page.locator('.ant-table-row-expand-icon').first().click()
  await page.getByText('冷链追踪器 5').waitFor()
})

test('nothing of this made the browser complain', () => {
  expect(gallery.complaints.join('\n')).toBe('')
})
