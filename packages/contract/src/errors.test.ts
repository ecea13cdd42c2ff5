import { expect, test } from 'vitest'
import { failureEnvelope, ok, successCode } from './envelope.ts'
import { AppError, badField, errors, refusal } from './errors.ts'

test('spec 8: success is a response code of 200 in the body', () => {
  expect(successCode).toBe(200)
  expect(ok({ a: 1 })).toEqual({ code: 200, msg: 'success', data: { a: 1 } })
})

test('an answer without content has no data key', () => {
  expect('data' in ok()).toBe(false)
})

test('spec 8: no code of the error catalogue counts as success', () => {
  for (const { code } of Object.values(errors)) expect(code).not.toBe(successCode)
})

test('every error of the catalogue has a code of its own and a Chinese sentence', () => {
  const codes = Object.values(errors).map(({ code }) => code)
  expect(new Set(codes).size).toBe(codes.length)
  for (const { msg } of Object.values(errors)) expect(msg).toMatch(/\p{Script=Han}/u)
})

test('a detail follows the sentence of the catalogue and a sentence of its own replaces it', () => {
  expect(new AppError(errors.parameter, { detail: '名称不能为空' }).message).toBe('参数错误:名称不能为空')
  expect(new AppError(errors.notEmpty, { msg: '该菜单下还有子菜单' }).message).toBe('该菜单下还有子菜单')
  const refused = new AppError(errors.duplicateUserName, { field: 'userName' })
  expect(refused).toMatchObject({ code: 1000001, message: '用户名已经注册', field: 'userName' })
})

test('a failure may name its request id and its form field', () => {
  const failure = { code: 100006, msg: '参数错误', requestID: 'r-1', field: 'userName' }
  expect(failureEnvelope.parse(failure)).toEqual(failure)
  expect(failureEnvelope.safeParse({ code: '100006', msg: '参数错误' }).success).toBe(false)
})

test('a refusal is said in the language of whoever reads it; one of a field names it and is about a parameter', () => {
  const refused = refusal(errors.notFound, '角色 {roleID} 不存在', { roleID: 7 })
  expect(refused).toMatchObject({ code: errors.notFound.code, message: '未查询到:角色 7 不存在', field: undefined })
  expect(refused.say((text, values) => `${text} ${JSON.stringify(values ?? {})}`)).toContain('"roleID":7')
  const wrong = badField('name', '管理员角色不能改名')
  expect(wrong).toMatchObject({ code: errors.parameter.code, message: '参数错误:管理员角色不能改名', field: 'name' })
})
