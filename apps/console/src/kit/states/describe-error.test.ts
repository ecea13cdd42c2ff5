import { expect, test } from 'vitest'
import { describeError } from './describe-error.ts'

const apiError = (parts: object) => Object.assign(new Error('设备不存在'), parts)

test('a business error keeps its sentence, code and request id', () => {
  expect(describeError(apiError({ code: 100009, httpStatus: 400, requestID: 'r-1' }))).toMatchObject({
    kind: 'error',
    reason: '设备不存在',
    code: 100009,
    requestID: 'r-1',
  })
})

test('a refused permission is told apart by its code or by HTTP 403', () => {
  expect(describeError(apiError({ code: 100012, httpStatus: 403 })).kind).toBe('forbidden')
  expect(describeError(apiError({ code: 100012, httpStatus: 200 })).kind).toBe('forbidden')
  expect(describeError(apiError({ code: 1, httpStatus: 403 })).kind).toBe('forbidden')
})

test('no answer at all reads as offline', () => {
  expect(describeError(apiError({ code: 0, httpStatus: 0 })).kind).toBe('offline')
  expect(describeError(new TypeError('Failed to fetch'))).toMatchObject({ kind: 'offline', reason: '无法连接服务器' })
})

test('anything thrown gives a sentence', () => {
  expect(describeError(undefined).reason).toBe('未知错误')
  expect(describeError('磁盘已满').reason).toBe('磁盘已满')
  expect(describeError(new Error('')).reason).toBe('未知错误')
})

test('the refused field is handed on for forms', () => {
  expect(describeError(apiError({ code: 100006, field: 'userName' })).field).toBe('userName')
})
