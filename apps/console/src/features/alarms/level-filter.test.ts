import { expect, test } from 'vitest'
import { levelsText, readLevels } from './level-filter.ts'

test('levels survive the URL, worst first, and what is no level is left out', () => {
  expect(readLevels('3,5')).toEqual([5, 3])
  expect(readLevels('9,x,,1')).toEqual([1])
  expect(readLevels(levelsText([4, 2]))).toEqual([4, 2])
})

test('no level is no filter', () => {
  expect(readLevels(undefined)).toBeUndefined()
  expect(readLevels('9')).toBeUndefined()
  expect(levelsText([])).toBeUndefined()
})
