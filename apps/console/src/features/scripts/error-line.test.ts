import { expect, test } from 'vitest'
import { markOfRefusal } from './error-line.ts'

test('the line of a refusal is found in its sentence', () => {
  const error = { code: 100006, httpStatus: 400, message: '参数错误:脚本第 12 行：SyntaxError: unexpected token' }
  expect(markOfRefusal(error)).toEqual({ line: 12, message: error.message })
})

test('a refusal without a line marks nothing', () => {
  expect(markOfRefusal({ code: 100012, httpStatus: 403, message: '没有权限' })).toBeUndefined()
})
