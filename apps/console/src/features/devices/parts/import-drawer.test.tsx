// @vitest-environment happy-dom
import { importDevices } from '@ithings/contract/features/devices/bulk.ts'
import { listProducts } from '@ithings/contract/features/products.ts'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { answerCalls, holdUploads, Refusal, type SentFile } from '#api/testing/answers.ts'
import { choose, clear, control, press, show, words } from '#kit/testing/show.tsx'
import { ImportDrawer } from './import-drawer.tsx'

afterEach(() => {
  clear()
  vi.unstubAllGlobals()
})

function Sample() {
  const [open, setOpen] = useState(true)
  return (
    <>
      <span>{open ? '开着' : '已关闭'}</span>
      <ImportDrawer open={open} onClose={() => setOpen(false)} />
    </>
  )
}

/** The drawer, and the files that it sends. */
function showImport(): SentFile[] {
  answerCalls([listProducts, () => ({ list: [], total: 0 })])
  const sent = holdUploads()
  show(<Sample />)
  return sent
}

async function nth(sent: SentFile[], at: number): Promise<SentFile> {
  await expect.poll(() => sent.length).toBe(at)
  return sent[at - 1] as SentFile
}

const csv = new File(['产品名称*,设备名称*\n水泵,P01\n水泵,P02\n'], '设备.csv', { type: 'text/csv' })
const buttons = () => [...document.querySelectorAll('.import-buttons button')].map((one) => one.textContent)
const figures = () => [...document.querySelectorAll('.import-figures dd')].map((one) => one.textContent)
const row = (number: number, deviceName: string, tips: string) => ({
  row: number,
  productName: '水泵',
  deviceName,
  deviceAlias: '',
  secret: '',
  logLevel: '',
  tags: '',
  position: '',
  address: '',
  tips,
})
const answer = (success: number, errdata: ReturnType<typeof row>[] | null = null) => ({
  total: success + (errdata?.length ?? 0),
  headers: row(0, '', ''),
  errdata,
  success,
})

test('without a file there is nothing to import, only a template to take along', async () => {
  const sent = showImport()
  await expect.poll(words).toContain('选择或拖入设备清单')
  expect(buttons()).toEqual(['下载模板'])
  expect(sent).toEqual([])
})

test('an empty file is refused before anything is sent', async () => {
  const sent = showImport()
  await choose(new File([], '空.csv', { type: 'text/csv' }))
  await expect.poll(words).toContain('「空.csv」是空文件')
  expect(buttons()).toEqual(['下载模板'])
  expect(sent).toEqual([])
})

test('another kind of file is refused before anything is sent', async () => {
  const sent = showImport()
  // A spreadsheet program may have said that it is one.
  await choose(new File(['PK'], '设备.xlsx', { type: 'text/csv' }))
  await expect.poll(words).toContain('「设备.xlsx」不是 CSV 文件')
  expect(sent).toEqual([])
})

test('a chosen file is checked first: what would happen is shown, and nothing is written yet', async () => {
  const sent = showImport()
  await choose(csv)
  const check = await nth(sent, 1)
  expect(check.url).toBe(importDevices.path)
  expect(check.form.get('dryRun')).toBe('true')
  expect((check.form.get('file') as File).name).toBe('设备.csv')
  check.answer(answer(2))
  await expect.poll(words).toContain('每一行都正确，还没有写入任何设备')
  expect(words()).toContain('设备.csv')
  expect(figures()).toEqual(['2', '2', '0'])
  expect(buttons()).toContain('导入 2 台设备')
  expect(sent.length).toBe(1)
})

test('rows that are wrong are listed with their number and reason; the right ones are written when asked', async () => {
  const sent = showImport()
  await choose(csv)
  const bad = [row(3, 'P03', '设备名称重复'), row(8, 'P 04', '设备名称格式不对')]
  ;(await nth(sent, 1)).answer(answer(5, bad))
  await expect.poll(words).toContain('设备名称重复')
  const listed = [...document.querySelectorAll('tbody tr[data-row-key]')].map((one) => one.textContent)
  expect(listed).toEqual(['3设备名称重复水泵P03', '8设备名称格式不对水泵P 04'])
  expect(figures()).toEqual(['7', '5', '2'])
  expect(buttons()).toContain('下载有误的行')
  await press('只导入正确的 5 行')
  const write = await nth(sent, 2)
  expect(write.form.get('dryRun')).toBe('false')
  write.answer(answer(5, bad))
  await expect.poll(buttons).toEqual(['下载失败的行', '继续导入', '完成'])
  expect(words()).toContain('失败')
  await press('完成')
  await expect.poll(words).toContain('已关闭')
})

test('a file without a right row cannot be imported, but another can be chosen', async () => {
  const sent = showImport()
  await choose(csv)
  ;(await nth(sent, 1)).answer(answer(0, [row(1, 'P01', '产品不存在')]))
  expect((await control('button', '没有可导入的行')).hasAttribute('disabled')).toBe(true)
  await press('重新选择文件')
  await choose(csv)
  ;(await nth(sent, 2)).answer(answer(2))
  await expect.poll(buttons).toContain('导入 2 台设备')
  expect(words()).not.toContain('产品不存在')
})

test('while the file is on its way it says how far, and the drawer stays', async () => {
  const sent = showImport()
  await choose(csv)
  const check = await nth(sent, 1)
  check.progress(0.4)
  await expect.poll(words).toContain('40%')
  expect(words()).toContain('正在上传')
  document.querySelector<HTMLElement>('.ant-drawer-close')?.click()
  check.progress(1)
  await expect.poll(words).toContain('正在逐行检查')
  expect(words()).toContain('开着')
  check.answer(answer(2))
  await press('导入 2 台设备')
  ;(await nth(sent, 2)).progress(1)
  await expect.poll(words).toContain('正在写入')
})

test('a check that the server refuses says why, and a file can be chosen again', async () => {
  const sent = showImport()
  await choose(csv)
  ;(await nth(sent, 1)).answer(new Refusal('表头不对'))
  await expect.poll(words).toContain('表头不对')
  await choose(csv)
  ;(await nth(sent, 2)).answer(answer(2))
  await expect.poll(buttons).toContain('导入 2 台设备')
  expect(words()).not.toContain('表头不对')
})

test('a write that the server refuses says why and can be tried again', async () => {
  const sent = showImport()
  await choose(csv)
  ;(await nth(sent, 1)).answer(answer(2))
  await press('导入 2 台设备')
  ;(await nth(sent, 2)).answer(new Refusal('数据库错误'))
  await expect.poll(words).toContain('数据库错误')
  await press('导入 2 台设备')
  ;(await nth(sent, 3)).answer(answer(2))
  await expect.poll(words).toContain('全部导入成功')
  expect(words()).not.toContain('数据库错误')
})
