import type { Product } from '@ithings/contract/features/products.ts'
import { expect, test } from 'vitest'
import { copyName, fileNameOf, packProducts } from './product-file.ts'
import { readProducts } from './read-product-file.ts'

const product: Product = {
  productID: 'PS3kQ8ZpVn0',
  productName: '一体化预制泵站 PS-3000',
  productImg: '/api/v1/oss/x?sign=1',
  authMode: 1,
  deviceType: 1,
  categoryID: 0,
  netType: 3,
  dataProto: 2,
  autoRegister: 2,
  secret: 'do not export',
  desc: '',
  tags: [{ key: '行业', value: '水务' }],
  createdTime: '1700000000',
  devStatus: 0,
  isUpdateProductImg: false,
  dialect: 0,
  valueDays: 365,
  logDays: 7,
  deviceCount: 486,
  onlineCount: 412,
  propertyCount: 1,
  eventCount: 0,
  actionCount: 0,
  rev: 3,
}
const tsl = JSON.stringify({
  properties: [{ identifier: 'on', name: '开关', mode: 'rw', define: { type: 'bool', mapping: { 0: '关', 1: '开' } } }],
  events: [],
  actions: [],
})

test('what is exported comes back: settings and model, without secret, picture and counts', () => {
  const text = packProducts([{ product, tsl }])
  expect(text).not.toContain('do not export')
  expect(text).not.toContain('sign=1')
  const [read] = readProducts(text)
  expect(read).toMatchObject({
    problems: [],
    counts: { properties: 1, events: 0, actions: 0 },
    info: { productID: 'PS3kQ8ZpVn0', netType: 3, dataProto: 2, autoRegister: 2, tags: product.tags },
  })
  expect(JSON.parse(read?.tsl ?? '')).toEqual(JSON.parse(tsl))
})

test('a fault belongs to its product and names the place', () => {
  const text = JSON.stringify({
    format: 'ithings-products',
    products: [
      { productName: '好的' },
      {
        productName: '坏的',
        logDays: 2,
        tsl: { properties: [{ identifier: '1x', name: 'n', define: { type: 'bool' } }] },
      },
    ],
  })
  const [good, bad] = readProducts(text)
  expect(good?.problems).toEqual([])
  expect(bad?.problems.join('\n')).toMatch(/logDays/)
  expect(bad?.problems.join('\n')).toMatch(/物模型 properties\.1x/)
})

test('a file of another kind is refused with a sentence', () => {
  expect(() => readProducts('{')).toThrow('不是有效的 JSON 文件')
  expect(() => readProducts('{"properties":[]}')).toThrow('不是从产品列表导出的文件')
  expect(() => readProducts('{"format":"ithings-products","products":[]}')).toThrow('文件里没有产品')
})

test('a copy has a name of its own that is not too long', () => {
  expect(copyName('水表')).toBe('水表-副本')
  expect(copyName('长'.repeat(64))).toHaveLength(64)
})

test('file names have no characters that a system refuses', () => {
  expect(fileNameOf('电表 A/B: "1"')).toBe('电表_A_B_1_')
})
