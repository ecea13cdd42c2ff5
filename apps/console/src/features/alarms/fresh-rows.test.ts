import { expect, test } from 'vitest'
import { freshIDs, seenOf } from './fresh-rows.ts'

test('new records and those that happened again are news, the rest is not', () => {
  const before = seenOf([
    { id: 1, totalCount: 3 },
    { id: 2, totalCount: 1 },
  ])
  const rows = [
    { id: 3, totalCount: 1 },
    { id: 1, totalCount: 4 },
    { id: 2, totalCount: 1 },
  ]
  expect(freshIDs(before, rows)).toEqual([3, 1])
})
