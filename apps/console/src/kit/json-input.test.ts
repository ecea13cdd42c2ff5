import { expect, test } from 'vitest'
import { formatJson, jsonProblem } from './json-input.ts'

test('spec 5: JSON input must parse as an object', () => {
  expect(jsonProblem('{"a":1}')).toBeUndefined()
  for (const text of ['1', '"a"', 'null', 'true', '[1]']) expect(jsonProblem(text)?.message).toBe('必须是 JSON 对象')
  expect(jsonProblem('  ')?.message).toBe('请输入 JSON')
})

test('any JSON value passes where an object is not needed', () => {
  expect(jsonProblem('[1]', false)).toBeUndefined()
})

test('a broken text names its line', () => {
  expect(jsonProblem('{\n  "a": 1,\n  b\n}')).toEqual({ message: '第 3 行不是有效的 JSON', at: 14 })
  const cut = '{\n"a": '
  expect(jsonProblem(cut)?.message).toBe('第 2 行不是有效的 JSON')
})

test('formatting leaves broken text alone', () => {
  expect(formatJson('{"a":1}')).toBe('{\n  "a": 1\n}')
  expect(formatJson('{')).toBe('{')
})
