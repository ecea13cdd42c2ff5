// @vitest-environment happy-dom
import { type Device, listDevices } from '@ithings/contract/features/devices/info.ts'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { answerCalls, Refusal } from '#api/testing/answers.ts'
import { choose, clear, control, press, show, type, words } from '#kit/testing/show.tsx'
import { DeviceChoice, type DeviceChoiceProps } from './device-choice.tsx'

afterEach(() => {
  clear()
  vi.unstubAllGlobals()
})

const device = (number: number) => ({
  productID: 'pump0000001',
  deviceName: `P${String(number).padStart(2, '0')}`,
  deviceAlias: number === 7 ? '北站主泵' : '',
  version: '',
  tags: [],
  isOnline: 1,
  firstLogin: '0',
  lastLogin: '0',
})
const devices = Array.from({ length: 23 }, (_, at) => device(at + 1))

interface Filter {
  keyword?: string
  version?: string
  page: { page: number; size: number }
}

/** The product has 23 devices, P01 to P23. */
const serve = (fails: () => boolean = () => false) =>
  answerCalls([
    listDevices,
    (body) => {
      if (fails()) return new Refusal('数据库错误')
      const { keyword = '', page } = body as unknown as Filter
      const found = devices.filter(({ deviceName, deviceAlias }) => `${deviceName} ${deviceAlias}`.includes(keyword))
      const list = found.slice((page.page - 1) * page.size, page.page * page.size) as unknown as Device[]
      return { list, total: found.length, num: list.length }
    },
  ])

function Sample({ before = [], ...more }: Partial<DeviceChoiceProps> & { before?: string[] }) {
  const [names, setNames] = useState(before)
  return (
    <>
      <output>{names.join(' ')}</output>
      <DeviceChoice productID="pump0000001" max={100} value={names} onChange={setNames} {...more} />
    </>
  )
}

const rows = () =>
  [...document.querySelectorAll('tbody tr[data-row-key]')].map((row) => row.getAttribute('data-row-key'))
const ticked = () =>
  [...document.querySelectorAll('tbody tr.ant-table-row-selected')].map((row) => row.getAttribute('data-row-key'))
const given = () => document.querySelector('output')?.textContent
const shownChosen = () => [...document.querySelectorAll('.choice-names li')].map((one) => one.textContent)
const chosenHead = () => document.querySelector('.choice-chosen .choice-title')?.textContent

async function find<E extends HTMLElement>(selector: string): Promise<E> {
  await expect.poll(() => document.querySelector(selector), { message: selector }).not.toBeNull()
  return document.querySelector<E>(selector) as E
}
const row = (name: string) => find(`tr[data-row-key="${name}"]`)
const box = (name: string) => find<HTMLInputElement>(`tr[data-row-key="${name}"] input[type=checkbox]`)

test('the devices of the product stand there by page, none of them chosen', async () => {
  const asked = serve()
  show(<Sample />)
  await expect.poll(() => rows().length).toBe(10)
  expect(words()).toContain('共 23 台')
  expect(chosenHead()).toBe('已选 0 / 100 台')
  expect(words()).toContain('从左侧勾选，或粘贴名称、上传文件')
  expect(asked.every(({ body }) => body.productID === 'pump0000001')).toBe(true)
})

test('a device is found by its name or alias, on the first page of what matches', async () => {
  serve()
  show(<Sample />)
  await row('P01')
  ;(await find('.ant-pagination-next button')).click()
  await row('P11')
  type(await control('input', '设备名称或别名'), '北站')
  await expect.poll(rows).toEqual(['P07'])
  expect(words()).toContain('共 1 台')
  type(await control('input', '设备名称或别名'), '没有的')
  await expect.poll(words).toContain('没有符合条件的设备')
})

test('a tick and a click in the row choose a device, and once more takes it back', async () => {
  serve()
  show(<Sample />)
  ;(await box('P02')).click()
  await expect.poll(given).toBe('P02')
  ;(await row('P05')).click()
  await expect.poll(given).toBe('P02 P05')
  expect(shownChosen()).toEqual(['P02', 'P05'])
  expect(chosenHead()).toBe('已选 2 / 100 台')
  expect(ticked()).toEqual(['P02', 'P05'])
  ;(await box('P02')).click()
  await expect.poll(given).toBe('P05')
  ;(await row('P05')).click()
  await expect.poll(given).toBe('')
})

test('the box in the head chooses all of the page, and what was chosen on another page stays', async () => {
  serve()
  show(<Sample />)
  ;(await box('P03')).click()
  await expect.poll(given).toBe('P03')
  ;(await find('.ant-pagination-next button')).click()
  await row('P11')
  await expect.poll(rows).not.toContain('P01')
  ;(await find('thead input[type=checkbox]')).click()
  await expect.poll(chosenHead).toBe('已选 11 / 100 台')
  expect(given()).toBe('P03 P11 P12 P13 P14 P15 P16 P17 P18 P19 P20')
  ;(await find('thead input[type=checkbox]')).click()
  await expect.poll(given).toBe('P03')
})

test('all that match are chosen at once, over all pages', async () => {
  serve()
  show(<Sample before={['P03']} />)
  await press('全选 23 台')
  await expect.poll(chosenHead).toBe('已选 23 / 100 台')
  await expect.poll(words).toContain('已加入 22 台')
})

test('of a search only what it found is chosen', async () => {
  serve()
  show(<Sample />)
  await row('P01')
  type(await control('input', '设备名称或别名'), 'P2')
  await press('全选 4 台')
  await expect.poll(given).toBe('P20 P21 P22 P23')
})

test('what goes beyond the limit is left out, and it is said how many', async () => {
  serve()
  show(<Sample max={3} before={['P20', 'P21']} />)
  await row('P01')
  ;(await find('thead input[type=checkbox]')).click()
  await expect.poll(words).toContain('最多选择 3 台，有 9 台没有加入')
  expect(given()).toBe('P20 P21 P01')
  expect(chosenHead()).toBe('已选 3 / 3 台')
  ;(await box('P02')).click()
  await expect.poll(words).toContain('有 1 台没有加入')
  expect(given()).toBe('P20 P21 P01')
})

test('with a limit below what matches the button says how many it takes', async () => {
  serve()
  show(<Sample max={12} />)
  await press('全选 12 台')
  await expect.poll(chosenHead).toBe('已选 12 / 12 台')
  expect(given()?.split(' ').at(-1)).toBe('P12')
})

test('what is chosen can be taken away one by one or all at once, and is no longer ticked', async () => {
  serve()
  show(<Sample before={['P01', 'P02', 'P21']} />)
  await expect.poll(ticked).toEqual(['P01', 'P02'])
  await press('移除 P02')
  await expect.poll(given).toBe('P01 P21')
  await expect.poll(ticked).toEqual(['P01'])
  await press('清空')
  await expect.poll(given).toBe('')
  expect(ticked()).toEqual([])
  expect((await control('button', '清空')).hasAttribute('disabled')).toBe(true)
})

test('many chosen ones are shown by page and searched', async () => {
  serve()
  show(<Sample before={devices.map(({ deviceName }) => deviceName)} />)
  await expect.poll(() => shownChosen().length).toBe(10)
  type(await control('input', '在已选中查找'), 'p1')
  await expect.poll(shownChosen).toContain('P19')
  expect(shownChosen().every((name) => name?.startsWith('P1'))).toBe(true)
  type(await control('input', '在已选中查找'), '没有的')
  await expect.poll(words).toContain('没有匹配的名称')
  expect(chosenHead()).toBe('已选 23 / 100 台')
})

test('names that the platform does not know come first and go with one click', async () => {
  serve()
  show(<Sample before={['P01', 'X98', 'P02', 'X99']} unknown={['X98', 'X99']} />)
  await expect.poll(words).toContain('2 个名称在产品中不存在')
  expect(shownChosen()).toEqual(['X98', 'X99', 'P01', 'P02'])
  await press('移除')
  await expect.poll(given).toBe('P01 P02')
})

test('pasted names join the choice once each; what is no name is listed', async () => {
  serve()
  show(<Sample before={['P01']} />)
  await press('粘贴名称')
  expect((await control('button', '加入')).hasAttribute('disabled')).toBe(true)
  type(await control('textarea', '设备名称'), 'P01 P08，P09\nP09 水泵')
  await expect.poll(words).toContain('识别到 3 个名称，重复 1 个已合并')
  expect(words()).toContain('1 个不是设备名称')
  await press('加入 3 台')
  await expect.poll(given).toBe('P01 P08 P09')
  await expect.poll(words).toContain('已加入 2 台')
})

test('names out of a file join the choice; a file without any is refused', async () => {
  serve()
  show(<Sample />)
  await choose(new File(['别名,设备名称\n主泵,P04\n备用泵,P06\n'], '名称.csv', { type: 'text/csv' }))
  await expect.poll(given).toBe('P04 P06')
  await expect.poll(words).toContain('已从文件加入 2 台')
  await choose(new File(['设备名称\n'], '空的.csv', { type: 'text/csv' }))
  await expect.poll(words).toContain('不能读取「空的.csv」')
  expect(given()).toBe('P04 P06')
})

test('when the devices cannot be read all at once it says why, and what was chosen stays', async () => {
  let broken = false
  serve(() => broken)
  show(<Sample before={['P01']} />)
  await row('P01')
  broken = true
  await press('全选 23 台')
  await expect.poll(words).toContain('读取设备失败：数据库错误')
  expect(given()).toBe('P01')
})
