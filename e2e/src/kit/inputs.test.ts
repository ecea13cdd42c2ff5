import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { writeCode } from '#screens.ts'
import { soon } from '#visit.ts'
import { type Gallery, noon, openGallery } from './open-gallery.ts'

let gallery: Gallery
beforeAll(async () => {
  gallery = await openGallery()
})
afterEach(() => gallery.rest())
afterAll(() => gallery.close())

const open = () => gallery.open('/inputs')

test('spec 5: the cron input says the three messages', async () => {
  const page = await open()
  const field = page.getByRole('textbox', { name: 'cron 表达式' })
  const verdict = page.locator('.cron-verdict')
  await soon(() => verdict.textContent()).toBe('有效 Cron 表达式：每周一、三 08:30')
  await field.fill('')
  await soon(() => verdict.textContent()).toBe('请输入 cron 表达式')
  // Nothing typed is asked for, not red.
  expect(await field.getAttribute('class')).not.toContain('status-error')
  for (const bad of ['* * * * *', '0 0 0 31 2 *', '0 */90 * * * *', 'x']) {
    await field.fill(bad)
    await soon(() => verdict.textContent()).toBe('无效 Cron 表达式')
    expect(await field.getAttribute('class')).toContain('status-error')
  }
})

test('the cron input shows the next five runs and their zone', async () => {
  const page = await gallery.open('/inputs', { timezoneId: 'Asia/Shanghai' })
  await page.getByRole('textbox', { name: 'cron 表达式' }).fill('0 0 12 * * *')
  await soon(() => page.locator('.cron-runs li').count()).toBe(5)
  const runs = await page.locator('.cron-runs li').allTextContents()
  expect(runs.every((run) => /^\d{4}-\d\d-\d\d 12:00:00 星期.$/.test(run))).toBe(true)
  expect(await page.locator('.cron-runs').textContent()).toContain('Asia/Shanghai（UTC+08:00）')
})

test('the builder writes the expression and follows the text', async () => {
  const page = await open()
  await page.getByText('每隔', { exact: true }).click()
  await soon(() => page.getByTestId('cron').textContent()).toBe('0 */5 * * * *')
  await page.getByRole('spinbutton', { name: '间隔' }).fill('15')
  await soon(() => page.getByTestId('cron').textContent()).toBe('0 */15 * * * *')
  await page.getByRole('textbox', { name: 'cron 表达式' }).fill('0 0 8 1,15 * *')
  await soon(() => page.locator('.cron-builder .ant-segmented-item-selected').textContent()).toBe('每月')
  await page.getByRole('textbox', { name: 'cron 表达式' }).fill('0 0 8 L * *')
  await soon(() => page.locator('.cron-builder .ant-segmented-item-selected').textContent()).toBe('自定义')
})

test('spec 3: the time filter offers five presets; all but 昨天 end now', async () => {
  const page = await open()
  const filter = page.locator('.time-filter')
  await filter.waitFor()
  const labels = await filter.locator('.ant-segmented-item').allTextContents()
  expect(labels).toEqual(['30分钟', '1小时', '今天', '昨天', '近7天'])
  const read = async () => JSON.parse((await page.getByTestId('time').textContent()) ?? '')
  for (const label of labels) {
    await filter.getByText(label, { exact: true }).click()
    await soon(async () => (await read()).timeEnd === '0').toBe(label !== '昨天')
  }
})

test('a range of the time filter cannot reach beyond 7 days back or into the future', async () => {
  // In the middle of a month: at its beginning the days before are not in sight.
  const page = await gallery.openWithClock('/inputs')
  // The calendar comes when it is asked for, and is open then.
  await page.getByRole('button', { name: '自定义' }).click()
  await page.locator('.ant-picker-dropdown').waitFor()
  const day = (offset: number) => {
    const at = new Date(noon + offset * 86_400_000)
    const two = (n: number) => String(n).padStart(2, '0')
    return `td[title="${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}"]`
  }
  const disabled = /ant-picker-cell-disabled/
  await soon(() => page.locator(day(0)).first().getAttribute('class')).not.toMatch(disabled)
  expect(await page.locator(day(1)).first().getAttribute('class')).toMatch(disabled)
  expect(await page.locator(day(-8)).first().getAttribute('class')).toMatch(disabled)
})

test('the picker names a value chosen before although it was never loaded', async () => {
  const page = await open()
  await page.getByText('空调机组控制器 42').waitFor()
})

test('the picker searches on the server and keeps the chosen label', async () => {
  const page = await open()
  await page.getByRole('combobox', { name: '单选' }).fill('网关 3')
  const options = page.locator('.ant-select-item-option')
  await soon(() => options.allTextContents()).toEqual([
    '边缘网关 3PS3kQ800003',
    '边缘网关 31PS3kQ800031',
    '边缘网关 38PS3kQ800038',
  ])
  await options.nth(1).click()
  await soon(() => page.getByTestId('picked').textContent()).toContain('"one":"31"')
  await page.locator('.ant-select-content[title="边缘网关 31"]').waitFor()
})

test('the picker loads further pages on scrolling', async () => {
  const page = await open()
  await page.getByRole('combobox', { name: '多选' }).click()
  const options = page.locator('.ant-select-item-option')
  await options.first().waitFor()
  const seen = new Set<string>()
  await soon(async () => {
    await options.nth(3).hover()
    await page.mouse.wheel(0, 600)
    for (const text of await options.allTextContents()) seen.add(text)
    return [...seen].some((text) => text.includes('PS3kQ800137'))
  }).toBe(true)
})

test('spec 5: the editor judges JSON as an object and marks the line', async () => {
  const page = await open()
  const editor = page.getByRole('textbox', { name: '配置' })
  await editor.waitFor()
  await soon(() => page.getByTestId('json-problem').textContent()).toBe('有效')
  await writeCode(editor, '[1]')
  await soon(() => page.getByTestId('json-problem').textContent()).toBe('必须是 JSON 对象')
  await writeCode(editor, '{"a":')
  await soon(() => page.getByTestId('json-problem').textContent()).toBe('第 1 行不是有效的 JSON')
  await page.locator('.cm-lint-marker-error').waitFor()
})

test('a value from outside replaces the text of the editor', async () => {
  const page = await open()
  const editor = page.getByRole('textbox', { name: '配置' })
  await writeCode(editor, '{"b":[1,2]}')
  await page.getByRole('button', { name: '格式化' }).click()
  await soon(() => editor.locator('.cm-line').count()).toBe(6)
})

test('a read-only editor cannot be typed into', async () => {
  const page = await open()
  const script = page.locator('.cm-content[aria-label=脚本]')
  await script.waitFor()
  expect(await script.getAttribute('contenteditable')).toBe('false')
})

test('the chart is drawn, named for those who cannot see it, and has an empty state of the same height', async () => {
  const page = await open()
  const chart = page.getByRole('img', { name: '三条序列的日变化' })
  await chart.locator('canvas').waitFor()
  const height = (await page.locator('.chart').boundingBox())?.height
  expect(height).toBe(240)
  await page.getByRole('button', { name: '切换数据' }).click()
  await page.getByText('所选范围内没有数据').waitFor()
  expect((await page.locator('.chart').boundingBox())?.height).toBe(height)
})

test('charts, editor and cron parts are fetched only where they are used', async () => {
  const asked: string[] = []
  const page = await gallery.open('/forms', {})
  await page.getByRole('button', { name: '打开对话框' }).waitFor()
  page.on('request', (request) => asked.push(request.url()))
  await page.getByRole('link', { name: '部件' }).click()
  await page.getByText('页面状态').waitFor()
  expect(asked).toEqual([])
  await page.getByRole('link', { name: '输入' }).click()
  for (const part of ['chart-canvas', 'code-editor-view', 'cron-verdict']) {
    await soon(() => asked.some((url) => url.includes(part))).toBe(true)
  }
})

test('the dark theme reaches editor and chart', async () => {
  const page = await gallery.open('/inputs', { dark: true })
  await page.locator('.cm-content').first().waitFor()
  expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  expect(await page.evaluate('getComputedStyle(document.querySelector(".cm-editor")).color')).toBe('rgb(232, 235, 244)')
})

test('nothing of this made the browser complain', () => {
  expect(gallery.complaints.join('\n')).toBe('')
})
