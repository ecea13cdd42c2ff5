import { expect, test } from 'vitest'
import type { ForwardMessage } from '#ports/forward-target.ts'
import { lineOf } from './line-protocol.ts'

const message = (more: Partial<ForwardMessage>): ForwardMessage => ({
  id: 'm1',
  source: 'property',
  time: 1_700_000_000_000,
  productID: 'p1',
  deviceName: 'd1',
  identifier: '',
  body: '',
  contentType: '',
  data: { t: 1 },
  ...more,
})

test('numbers, switches and texts are fields, objects are flattened, lists are texts', () => {
  const data = {
    t: 21.5,
    whole: 3,
    big: 1e30,
    on: true,
    name: '温度',
    at: { lng: 1, deep: { lat: 2 } },
    list: [1, 'a'],
    none: null,
  }
  expect(lineOf(message({ data }), '')).toBe(
    'p1,product=p1,device=d1 t=21.5,whole=3,big=1e+30,on=true,name="温度",at_lng=1,at_deep_lat=2,list="[1,\\"a\\"]" 1700000000000',
  )
})

test('what has a meaning in a line is escaped', () => {
  const odd = message({
    productID: 'p 1,x',
    deviceName: 'a=b\\',
    identifier: 'line\nbreak',
    data: { 'k e,y=': 'say "hi" \\ to\nall' },
  })
  expect(lineOf(odd, '')).toBe(
    'p\\ 1\\,x,product=p\\ 1\\,x,device=a\\=b,identifier=line\\nbreak k\\ e\\,y\\=="say \\"hi\\" \\\\ to\nall" 1700000000000',
  )
})

test('the measurement is the one of the rule, else the product, else the source; never a comment', () => {
  expect(lineOf(message({}), 'of rule')).toMatch(/^of\\ rule,product=p1/)
  expect(lineOf(message({ productID: '', deviceName: '', source: 'operation' }), '')).toBe(
    'operation t=1 1700000000000',
  )
  expect(lineOf(message({}), '#1')).toMatch(/^_#1,/)
})

test.each([{}, { a: null }, { a: {} }, { a: Number.NaN }])('%j has no field', (data) => {
  expect(lineOf(message({ data }), '')).toBeUndefined()
})
