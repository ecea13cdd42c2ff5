import { expect, test } from 'vitest'
import { distinctTags, tagFilterField, tagsOf } from './tags.tsx'

test('the text of the filter becomes the pairs of the wire', () => {
  expect(tagsOf('行业:水务;期次:二期')).toEqual({
    tags: [
      { key: '行业', value: '水务' },
      { key: '期次', value: '二期' },
    ],
  })
})

test('without a pair nothing is filtered', () => {
  expect(tagsOf(undefined)).toEqual({})
  expect(tagsOf('水务')).toEqual({})
})

test('a pair that many rows carry is suggested once', () => {
  const water = { key: '行业', value: '水务' }
  expect(distinctTags([water, { ...water }, { key: '行业', value: '能耗' }])).toEqual([
    water,
    { key: '行业', value: '能耗' },
  ])
})

test('the filter reads in words where nothing matched', () => {
  expect(tagFilterField('产品标签', []).describe?.('行业:水务;期次:二期')).toBe('行业：水务，期次：二期')
})
