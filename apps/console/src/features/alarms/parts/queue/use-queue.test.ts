import { expect, test } from 'vitest'
import { freshIDs, seenOf } from './use-queue.ts'

const row = (id: number, totalCount: number, lastAlarm: number) => ({ id, totalCount, lastAlarm })
const before = seenOf([row(1, 3, 100), row(2, 1, 90)])

test('new records and those that happened again are news, the rest is not', () => {
  expect(freshIDs(before, [row(3, 1, 120), row(1, 4, 110), row(2, 1, 90)])).toEqual([3, 1])
})

test('an older record that moved up from the next page is no news', () => {
  expect(freshIDs(before, [row(1, 3, 100), row(9, 2, 80)])).toEqual([])
})

test('what was seen before counts even when it has left the screen', () => {
  const after = seenOf([row(2, 1, 90)], before)
  expect(freshIDs(after, [row(2, 1, 90), row(1, 3, 100)])).toEqual([])
})
