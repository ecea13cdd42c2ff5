import { expect, test } from 'vitest'
import { lastPage, parseSort } from './use-list-state.ts'

test('spec 5: the last page is never below 1, whatever the total', () => {
  expect(lastPage(0, 10)).toBe(1)
  expect(lastPage(10, 10)).toBe(1)
  expect(lastPage(11, 10)).toBe(2)
  expect(lastPage(5, 0)).toBe(5)
})

test('a sort of the URL becomes the order of the wire and nonsense none', () => {
  expect(parseSort('createdTime.2')).toEqual([{ field: 'createdTime', sort: 2 }])
  expect(parseSort('name.1')).toEqual([{ field: 'name', sort: 1 }])
  for (const text of [undefined, '', 'name', 'name.3', '1;drop.1']) expect(parseSort(text)).toBeUndefined()
})
