import { expect, test } from 'vitest'
import * as z from 'zod'
import { checkAll, checkField, isRequired, toWire } from './schema-rules.ts'

const schema = z.object({
  name: z.string().trim().min(2).max(5),
  note: z.string().max(3).optional(),
  phone: z.union([z.literal(''), z.string().regex(/^\d+$/, '不是有效的号码')]).optional(),
  size: z.number().int().min(1).max(9).optional(),
})

test('a field is required when the schema takes neither nothing nor an empty text', () => {
  expect(['name', 'note', 'phone', 'size', 'unknown'].map((field) => isRequired(schema, field))).toEqual([
    true,
    false,
    false,
    false,
    false,
  ])
})

test('refusals name the label and the limit', () => {
  expect(checkField(schema, 'name', '名称', '')).toBe('名称不能为空')
  expect(checkField(schema, 'name', '名称', '一二三四五六')).toBe('名称不能超过 5 个字符')
  expect(checkField(schema, 'name', '名称', '一')).toBe('名称不能少于 2 个字符')
  expect(checkField(schema, 'phone', '电话', 'x')).toBe('电话不是有效的号码')
  expect(checkField(schema, 'size', '数量', 10)).toBe('数量不能大于 9')
})

test('good values and empty optional ones pass', () => {
  expect(checkField(schema, 'name', '名称', '水泵')).toBeUndefined()
  expect(checkField(schema, 'note', '备注', '')).toBeUndefined()
  expect(checkField(schema, 'size', '数量', null)).toBeUndefined()
})

test('a cleared text is sent as empty where the field takes it, a cleared number is left out', () => {
  expect(toWire(schema, { name: '水泵', note: '', phone: '', size: null, more: undefined })).toEqual({
    name: '水泵',
    note: '',
    phone: '',
  })
})

test('the whole check gives the parsed data or each problem with its path', () => {
  const labels = new Map([['name', '名称']])
  expect(checkAll(schema, { name: ' 水泵 ' }, labels)).toEqual({ data: { name: '水泵' } })
  expect(checkAll(schema, { name: '一', size: 0 }, labels)).toEqual({
    problems: [
      { path: ['name'], text: '名称不能少于 2 个字符' },
      { path: ['size'], text: 'size 不能小于 1' },
    ],
  })
})
