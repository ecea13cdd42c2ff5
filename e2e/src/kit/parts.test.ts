import { readFile } from 'node:fs/promises'
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

test('an id is copied and answered with 复制成功', async () => {
  const page = await gallery.open('/parts', { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.getByText('PS3kQ8ZpVn0').locator('..').getByRole('button', { name: '复制' }).click()
  await told(page, '复制成功')
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe('PS3kQ8ZpVn0')
})

test('a secret is masked, shown on demand and hides itself after 30 s', async () => {
  const page = await gallery.openWithClock('/parts')
  const secret = page.locator('.masked-secret-text')
  await secret.waitFor()
  await stopClock(page)
  expect(await secret.textContent()).toBe('••••••••')
  await page.getByRole('button', { name: '显示密钥' }).click()
  await soon(() => secret.textContent()).toBe('s3cr3t-of-the-thing')
  await page.clock.runFor(29_000)
  expect(await secret.textContent()).toBe('s3cr3t-of-the-thing')
  await page.clock.runFor(1500)
  await soon(() => secret.textContent()).toBe('••••••••')
})

test('spec 9: automatic refresh reads every 5000 ms and rests while the tab is hidden', async () => {
  const page = await gallery.openWithClock('/parts')
  await page.getByTestId('reads').waitFor()
  await stopClock(page)
  const reads = () => page.getByTestId('reads').textContent()
  await page.getByRole('switch', { name: '自动刷新' }).click()
  await page.clock.runFor(4900)
  expect(await reads()).toBe('0')
  await page.clock.runFor(200)
  await soon(reads).toBe('1')
  await page.getByText('上次更新').waitFor()
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    document.dispatchEvent(new Event('visibilitychange'))`)
  await page.clock.runFor(20_000)
  expect(await reads()).toBe('1')
})

test('spec 9: a growing list asks for more within 100 px of its end', async () => {
  const page = await gallery.open('/parts')
  const list = page.getByTestId('growing')
  await list.scrollIntoViewIfNeeded()
  const count = () => list.getByText(/^第 \d+ 行$/).count()
  await soon(count).toBe(20)
  const scrollTo = (fromEnd: number) =>
    page.evaluate(`(() => { const node = document.querySelector('[data-testid=growing]')
      node.scrollTop = node.scrollHeight - node.clientHeight - ${fromEnd} })()`)
  // The row of the spinner is 44 px high: its upper edge is 100 px away at 144 px from the end.
  await scrollTo(160)
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))')
  expect(await count()).toBe(20)
  await scrollTo(130)
  await soon(count).toBe(40)
  // Who holds the end while rows come is at the end again before a frame is drawn: nothing has changed for an observer.
  await page.evaluate(`(() => { const node = document.querySelector('[data-testid=growing]')
    new MutationObserver(() => { node.scrollTop = node.scrollHeight }).observe(node, { childList: true, subtree: true }) })()`)
  await scrollTo(130)
  await soon(count).toBe(80)
  await list.getByText('没有更多了').waitFor()
})

test('times are relative with the exact one on hover, and a dash when there is none', async () => {
  const page = await gallery.open('/parts')
  const time = page.getByText('3 分钟前')
  await time.hover()
  await soon(() => page.getByRole('tooltip').textContent()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
})

test('JSON folds, switches to text and downloads', async () => {
  const page = await gallery.open('/parts')
  const view = page.locator('.json-view').first()
  expect(await view.textContent()).not.toContain('"值"')
  await view.getByRole('button', { name: /list/ }).click()
  await view.getByRole('button', { name: /项/ }).click()
  await soon(() => view.textContent()).toContain('"值"')
  await view.getByText('文本').click()
  await view.locator('pre').waitFor()
  const waiting = page.waitForEvent('download')
  await view.getByRole('button', { name: '下载' }).click()
  const file = await waiting
  expect(file.suggestedFilename()).toBe('sample.json')
  expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toMatchObject({ method: 'report' })
})

test('tags take unique keys with Enter and can be removed', async () => {
  const page = await gallery.open('/parts')
  const input = page.locator('.tag-input')
  await input.getByLabel('标签键').fill('区域:南')
  await page.keyboard.press('Enter')
  await input.getByText('键 区域 已存在').waitFor()
  await input.getByLabel('标签键').fill('楼层:3')
  await page.keyboard.press('Enter')
  await soon(() => input.locator('.ant-tag').allTextContents()).toEqual(['区域：北', '楼层：3'])
  await input.locator('.ant-tag').first().getByRole('button').click()
  await soon(() => input.locator('.ant-tag').allTextContents()).toEqual(['楼层：3'])
})

test('spec 2: the spinner of a loading screen is large, centred and 100 px from the top', async () => {
  const page = await gallery.open('/parts')
  await page.locator('.page-spinner .ant-spin-lg').waitFor()
  const spinner = 'getComputedStyle(document.querySelector(".page-spinner"))'
  expect(await page.evaluate(`${spinner}.paddingTop`)).toBe('100px')
  expect(await page.evaluate(`${spinner}.textAlign`)).toBe('center')
})

test('an unknown value of an enumeration is named', async () => {
  const page = await gallery.open('/parts')
  await page.getByText('未知（9）').waitFor()
})

test('nothing of this made the browser complain', () => {
  expect(gallery.complaints.join('\n')).toBe('')
})
