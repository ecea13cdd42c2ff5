import { expect, test } from 'vitest'
import { parseTags, refuseTag, splitTag, tagsText } from './tag-input.tsx'

const ten = Array.from({ length: 10 }, (_, at) => ({ key: `k${at}`, value: 'v' }))

test('a tag needs both parts, a new key and room', () => {
  expect(refuseTag([], { key: 'a', value: '' })).toBe('键和值都要填写')
  expect(refuseTag([{ key: 'a', value: '1' }], { key: 'a', value: '2' })).toBe('键 a 已存在')
  expect(refuseTag(ten, { key: 'x', value: '1' })).toBe('最多 10 个标签')
  expect(refuseTag([], { key: 'a', value: '1' })).toBeUndefined()
  expect(refuseTag([], { key: 'a', value: '' }, true)).toBeUndefined()
  expect(refuseTag([], { key: '', value: '' }, true)).toBe('键不能为空')
})

test('a pasted pair fills both parts, with either colon', () => {
  expect(splitTag('area:north', '')).toEqual({ key: 'area', value: 'north' })
  expect(splitTag('区域：北', '')).toEqual({ key: '区域', value: '北' })
  expect(splitTag('a:b', 'c')).toEqual({ key: 'a:b', value: 'c' })
})

test('the text of a filter survives a round', () => {
  const tags = [
    { key: 'a', value: '1' },
    { key: 'b', value: '2' },
  ]
  expect(tagsText(tags)).toBe('a:1;b:2')
  expect(parseTags(tagsText(tags))).toEqual(tags)
  expect(parseTags('broken;a:')).toEqual([])
})
