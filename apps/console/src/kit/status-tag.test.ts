import { expect, test } from 'vitest'
import { labelOf, lookOf } from './status-tag.tsx'

const looks = { 1: { text: '在线', tone: 'success' }, 2: { text: '离线', tone: 'error' } } as const

test('a known value has its word and tone', () => {
  expect(lookOf(looks, 1)).toEqual({ text: '在线', tone: 'success' })
  expect(lookOf(looks, '2').text).toBe('离线')
})

test('an unknown value is named instead of thrown at', () => {
  expect(lookOf(looks, 9)).toEqual({ text: '未知（9）', tone: 'default' })
  expect(lookOf(looks, undefined).text).toBe('未知（空）')
  expect(labelOf({ 1: '启用' }, 7)).toBe('未知（7）')
})
