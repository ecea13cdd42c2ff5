import { expect, test } from 'vitest'
import { fieldWords } from './diff-words.ts'

test('a changed member is named in words, items by their identifier', () => {
  expect(fieldWords('define.max')).toBe('最大值')
  expect(fieldWords('params.level.define.max')).toBe('参数 level 最大值')
  expect(fieldWords('define.specs.ia.dataType.unit')).toBe('成员 ia 单位')
  expect(fieldWords('define.mapping.2')).toBe('取值说明 2')
})

test('an item that is called like a member of the definition keeps its name', () => {
  expect(fieldWords('input.define.define.type')).toBe('调用参数 define 类型')
})
