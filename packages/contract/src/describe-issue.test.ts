import { expect, test } from 'vitest'
import * as z from 'zod'
import { describeError, describeIssue } from './describe-issue.ts'
import { createUserBody } from './features/users.ts'
import { int, oneOf, optionalEnum, text } from './wire.ts'

function refusal(schema: z.ZodType, value: unknown): string {
  const result = schema.safeParse({ value })
  if (result.success) throw new Error('the value was accepted')
  return describeError(result.error).text
}
const field = (schema: z.ZodType) => z.object({ value: schema })

test('a missing value is said to be empty', () => {
  expect(refusal(field(z.string()), undefined)).toBe('value 不能为空')
  expect(refusal(field(int()), undefined)).toBe('value 不能为空')
  expect(refusal(field(text(8, 1)), '  ')).toBe('value 不能为空')
})

test('a value of the wrong type is told the type that is wanted', () => {
  expect(refusal(field(z.string()), 5)).toBe('value 必须是文本')
  expect(refusal(field(z.boolean()), 'x')).toBe('value 必须是布尔值')
  expect(refusal(field(z.array(z.string())), 'x')).toBe('value 必须是数组')
  expect(refusal(field(int()), 1.5)).toBe('value 必须是整数')
  expect(refusal(field(int()), 'abc')).toBe('value 必须是整数')
})

test('a number or a text beyond its limit is told the limit', () => {
  expect(refusal(field(int(1, 9)), 0)).toBe('value 不能小于 1')
  expect(refusal(field(int(1, 9)), '12')).toBe('value 不能大于 9')
  expect(refusal(field(text(3, 2)), 'a')).toBe('value 不能少于 2 个字符')
  expect(refusal(field(text(3)), 'abcd')).toBe('value 不能超过 3 个字符')
  expect(refusal(field(z.array(z.string()).max(1)), ['a', 'b'])).toBe('value 不能超过 1 项')
})

test('a fault inside one of two shapes names its place inside', () => {
  const shape = z.union([z.array(z.string()), z.object({ size: int(1, 9) })])
  expect(refusal(field(shape), { size: 10 })).toBe('value.size 不能大于 9')
})

test('a value outside an enumeration is told the values', () => {
  expect(refusal(field(oneOf({ a: 1, b: 2 })), 3)).toBe('value 只能是 1、2')
  expect(refusal(field(optionalEnum({ a: 1, b: 2 })), '7')).toBe('value 只能是 1、2')
})

test('text where an optional number of an enumeration is wanted is told that it must be a number', () => {
  expect(refusal(field(optionalEnum({ a: 1, b: 2 })), 'x')).toBe('value 必须是整数')
})

test('a nested field is named by its path and given back for the form', () => {
  const result = z.object({ page: z.object({ size: int(1) }) }).safeParse({ page: { size: 0 } })
  if (result.success) throw new Error('the value was accepted')
  expect(describeError(result.error)).toEqual({ text: 'page.size 不能小于 1', field: 'page.size' })
})

test('a body that is no object is called the request body', () => {
  const result = z.object({}).safeParse('text')
  if (result.success) throw new Error('the value was accepted')
  expect(describeError(result.error)).toEqual({ text: '请求体必须是对象', field: '' })
})

test('a form may give the field its label', () => {
  const result = text(3, 1).safeParse('')
  if (result.success) throw new Error('the value was accepted')
  expect(result.error.issues.map((issue) => describeIssue(issue, '名称'))).toEqual(['名称不能为空'])
})

test('no refusal of a user form is in English', () => {
  const bad = [undefined, 5, true, [], {}, '', 'x', '!', 'a'.repeat(600)]
  for (const key of Object.keys(createUserBody.shape)) {
    for (const value of bad) {
      const result = createUserBody.safeParse({ userName: 'operator', password: 'abxy1234', role: 3, [key]: value })
      if (result.success) continue
      const said = describeError(result.error)
      expect(said.field).toBe(key)
      const sentence = said.text.slice(key.length + 1)
      expect(sentence, `${key}=${JSON.stringify(value)}`).toMatch(/^[\p{Script=Han}]/u)
      expect(sentence).not.toMatch(/Invalid|expected|received/)
      expect(sentence.trim()).not.toBe('只能是')
    }
  }
})
