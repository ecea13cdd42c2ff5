import { AppError } from '@ithings/contract/errors.ts'
import { expect, test } from 'vitest'
import { readHex, readJsonText } from './try-script.ts'

test.each(['0x01A0ff', '01a0FF', '01 a0 ff', '0x01 0xA0 0xff', '0X01,0XA0,0XFF', '01:a0:ff', ' 01-A0\n\tff '])(
  '"%s" is three bytes',
  (text) => {
    expect(readHex(text)).toEqual(Uint8Array.of(1, 0xa0, 0xff))
  },
)

test('empty text is no bytes', () => {
  expect(readHex('  ')).toHaveLength(0)
})

test.each(['0x1', '01 2', 'xyz1', '0x', '01 0xg0', '你好'])('"%s" is refused with 100006', (text) => {
  expect(() => readHex(text)).toThrow(AppError)
})

test('JSON text is read and anything else refused with 100006', () => {
  expect(readJsonText(' {"a":[1]} ')).toEqual({ a: [1] })
  expect(() => readJsonText('{a:1}')).toThrow('参数错误:输入不是有效的 JSON')
})
