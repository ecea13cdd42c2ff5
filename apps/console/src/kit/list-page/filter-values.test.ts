import { expect, test } from 'vitest'
import { activeFilters, readFilters } from './filter-values.ts'
import type { FilterField } from './list-contract.ts'

const fields: FilterField[] = [
  { name: 'name', label: '名称', control: 'text' },
  {
    name: 'status',
    label: '状态',
    control: 'select',
    options: [
      { label: '启用', value: 1 },
      { label: '禁用', value: 2 },
    ],
  },
  { name: 'time', label: '时间', control: 'time', initial: '1' },
]

test('a select gives back the type of its option, a time its choice, an empty text nothing', () => {
  expect(readFilters(fields, { name: '', status: '2', time: '4' })).toEqual({
    name: undefined,
    status: 2,
    time: { preset: 4 },
  })
})

test('a value that is no option any more is no filter', () => {
  expect(readFilters(fields, { status: '9' }).status).toBeUndefined()
})

test('active filters are told in words and the initial value is not one', () => {
  expect(activeFilters(fields, { name: '泵', status: '2', time: '1' })).toEqual([
    { name: 'name', label: '名称', text: '泵' },
    { name: 'status', label: '状态', text: '禁用' },
  ])
  expect(activeFilters(fields, { time: '4' })).toEqual([{ name: 'time', label: '时间', text: '近7天' }])
})
