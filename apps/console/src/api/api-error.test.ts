import { expect, test } from 'vitest'
import { ApiError, failureTitle, isForbidden, networkText, readBody } from './api-error.ts'

const failureOf = (status: number, raw: string) => {
  const reading = readBody(status, raw)
  if (reading.ok) throw new Error('read as success')
  return new ApiError(reading.failure)
}

test('a body code of 200 is success and yields the data (spec 8)', () => {
  expect(readBody(200, '{"code":200,"msg":"success","data":{"a":1}}')).toEqual({ ok: true, data: { a: 1 } })
})

test('any other body code is a failure whatever the HTTP status (spec 8)', () => {
  expect(failureOf(200, '{"code":100009,"msg":"未查询到"}').code).toBe(100009)
  expect(failureOf(400, '{"code":100006,"msg":"参数错误"}').code).toBe(100006)
})

test('the title names the body code, or the HTTP status when the body is not JSON (spec 8)', () => {
  expect(failureTitle(failureOf(400, '{"code":100006,"msg":"x"}'))).toBe('请求错误, 错误码:100006')
  expect(failureTitle(failureOf(502, '<html>Bad Gateway</html>'))).toBe('请求错误, 错误码:502')
  expect(failureTitle(failureOf(500, '[1]'))).toBe('请求错误, 错误码:500')
})

test('the description is the body message, then msg, then the raw text (spec 8)', () => {
  expect(failureOf(400, '{"code":1,"message":"甲","msg":"乙"}').message).toBe('甲')
  expect(failureOf(400, '{"code":1,"msg":"乙"}').message).toBe('乙')
  expect(failureOf(502, 'Bad Gateway').message).toBe('Bad Gateway')
})

test('request id and refused field travel with the error', () => {
  const error = failureOf(400, '{"code":100006,"msg":"x","requestID":"r1","field":"nickName"}')
  expect([error.requestID, error.field, error.httpStatus]).toEqual(['r1', 'nickName', 400])
})

test('without a response the title is 网络异常 (spec 8)', () => {
  expect(failureTitle(new ApiError({ code: 0, httpStatus: 0, message: networkText }))).toBe('网络异常')
})

test('a refused permission is recognised by status or code', () => {
  expect(isForbidden(failureOf(403, '{"code":100012,"msg":"权限不足"}'))).toBe(true)
  expect(isForbidden(failureOf(400, '{"code":100012,"msg":"权限不足"}'))).toBe(true)
  expect(isForbidden(failureOf(400, '{"code":100006,"msg":"x"}'))).toBe(false)
  expect(isForbidden(new Error('x'))).toBe(false)
})
