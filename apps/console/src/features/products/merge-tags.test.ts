import { expect, test } from 'vitest'
import { mergeTags, TagMode } from './merge-tags.ts'

const tag = (key: string, value = 'x') => ({ key, value })

test('adding keeps other tags and renews a key that is given again', () => {
  expect(mergeTags([tag('a'), tag('b')], [tag('b', 'new'), tag('c')], TagMode.add)).toEqual([
    tag('a'),
    tag('b', 'new'),
    tag('c'),
  ])
})

test('replacing leaves the given tags only, even none', () => {
  expect(mergeTags([tag('a')], [tag('b')], TagMode.replace)).toEqual([tag('b')])
  expect(mergeTags([tag('a')], [], TagMode.replace)).toEqual([])
})

test('screens.md 0.3: more than ten after adding is refused with the number', () => {
  const nine = Array.from({ length: 9 }, (_, i) => tag(`k${i}`))
  expect(() => mergeTags(nine, [tag('x'), tag('y')], TagMode.add)).toThrow('合并后有 11 个标签，最多 10 个')
})
