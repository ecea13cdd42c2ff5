// @vitest-environment happy-dom
import { createProduct } from '@ithings/contract/features/products.ts'
import { importTsl } from '@ithings/contract/features/thing-model.ts'
import { act, useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { answerCalls, Refusal } from '#api/testing/answers.ts'
import { choose, clear, control, press, show, type, words } from '#kit/testing/show.tsx'
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

const pump = { productName: '水泵', productID: 'pump0000001', deviceType: 1, tsl: {} }
const valve = { productName: '阀门', productID: 'valve000001', deviceType: 2, tsl: {} }
const broken = { productName: '坏的', deviceType: 7, tsl: { properties: 'none' } }

const fileOf = (products: object[], format = 'ithings-products') =>
  new File([JSON.stringify({ format, products })], '产品.json', { type: 'application/json' })
const buttons = () => [...document.querySelectorAll('button')].map((one) => one.textContent)
const rows = () => [...document.querySelectorAll('.import-file-rows li')].map((row) => row.textContent)
const namesOf = (asked: ReturnType<typeof answerCalls>) =>
  asked.filter(({ path }) => path === createProduct.path).map(({ body }) => body.productName)

/** A server that takes every product but those with such names. */
const serve = (refused: string[] = []) =>
  answerCalls(
    [
      createProduct,
      ({ productName }) =>
        refused.includes(String(productName)) ? new Refusal('产品名称已存在') : { productID: 'made0000001' },
    ],
    [importTsl, () => ({})],
  )

test('without a file there is nothing to import', async () => {
  serve()
  show(<Sample />)
  await expect.poll(words).toContain('选择或拖入从产品列表导出的 JSON 文件')
  expect(buttons()).not.toContain('导入')
})

test('a chosen file shows what can be imported and what is wrong in it, and nothing is made yet', async () => {
  const asked = serve()
  show(<Sample />)
  await choose(fileOf([pump, broken]))
  await expect.poll(() => rows().length).toBe(2)
  expect(words()).toContain('1 / 2 个可导入')
  expect(rows()[0]).toContain('可导入')
  expect(rows()[1]).toMatch(/\d 处错误/)
  expect(rows()[1]).toContain('物模型 properties')
  expect(asked).toEqual([])
})

test.each([
  ['another kind of file', fileOf([pump], 'ithings-scenes'), '「产品.json」不是从产品列表导出的文件'],
  ['a file without products', fileOf([]), '「产品.json」文件里没有产品'],
  ['what is no JSON', new File(['水泵'], '水泵.json'), '「水泵.json」'],
])('%s is refused with its reason, and another can be chosen', async (_name, file, reason) => {
  serve()
  show(<Sample />)
  await choose(file)
  await expect.poll(words).toContain(reason)
  expect(buttons()).not.toContain('导入')
  await choose(fileOf([pump]))
  await expect.poll(words).toContain('1 / 1 个可导入')
  expect(words()).not.toContain(reason)
})

test('a file of which nothing can be imported has a button that does nothing', async () => {
  serve()
  show(<Sample />)
  await choose(fileOf([broken]))
  await expect.poll(words).toContain('0 / 1 个可导入')
  expect((await control('button', '导入')).hasAttribute('disabled')).toBe(true)
})

test('the products that are right are made, under new ids, and it says how many', async () => {
  const asked = serve()
  show(<Sample />)
  await choose(fileOf([pump, broken, valve]))
  await press('导入')
  await expect.poll(words).toContain('已导入 2 个产品')
  await expect.poll(words).toContain('已关闭')
  expect(namesOf(asked)).toEqual(['水泵', '阀门'])
  expect(asked.some(({ body }) => body.productID === pump.productID)).toBe(false)
})

test('with the switch the products keep the ids of the file', async () => {
  const asked = serve()
  show(<Sample />)
  await choose(fileOf([pump]))
  await expect.poll(() => rows().length).toBe(1)
  document.querySelector<HTMLElement>('button[role=switch]')?.click()
  await press('导入')
  await expect.poll(words).toContain('已关闭')
  expect(asked[0]?.body.productID).toBe(pump.productID)
})

test('what the server refuses says why at its row; renamed it is the only one sent again', async () => {
  const asked = serve(['水泵'])
  show(<Sample />)
  await choose(fileOf([pump, valve]))
  await press('导入')
  await expect.poll(() => rows()[0]).toContain('产品名称已存在')
  await expect.poll(() => rows()[1]).toContain('已导入')
  await expect.poll(words).toContain('1 / 2 个可导入')
  expect(words()).toContain('开着')
  type(await control('input', '产品名称'), '二号水泵')
  await expect.poll(() => rows()[0]).not.toContain('产品名称已存在')
  await press('导入')
  await expect.poll(words).toContain('已关闭')
  expect(namesOf(asked)).toEqual(['水泵', '阀门', '二号水泵'])
})

test('while products are made the drawer stays, and no other file can be chosen', async () => {
  const wait = Promise.withResolvers<object>()
  answerCalls([createProduct, () => wait.promise], [importTsl, () => ({})])
  show(<Sample />)
  await choose(fileOf([pump]))
  await press('导入')
  await expect.poll(async () => (await control('button', '重新选择文件')).hasAttribute('disabled')).toBe(true)
  document.querySelector<HTMLElement>('.ant-drawer-close')?.click()
  await act(async () => undefined)
  expect(words()).toContain('开着')
  wait.resolve({ productID: 'made0000001' })
  await expect.poll(words).toContain('已关闭')
})

test('another file can be chosen instead', async () => {
  serve()
  show(<Sample />)
  await choose(fileOf([pump]))
  await press('重新选择文件')
  await choose(fileOf([valve, pump]))
  await expect.poll(words).toContain('2 / 2 个可导入')
})
