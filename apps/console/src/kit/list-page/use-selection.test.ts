import { expect, test } from 'vitest'
import { offersAll, withPicked } from './use-selection.ts'

const keyOf = (row: { id: string }) => row.id
const rows = [{ id: 'a' }, { id: 'b' }]
const none = new Map<string, { id: string }>()

test('rows are ticked and unticked by their key', () => {
  const both = withPicked(none, rows, true, keyOf)
  expect([...both.keys()]).toEqual(['a', 'b'])
  expect([...withPicked(both, [{ id: 'a' }], false, keyOf).keys()]).toEqual(['b'])
})

test('all rows of the filter are offered when the page is ticked and there are more', () => {
  const page = ['a', 'b']
  const both = withPicked(none, rows, true, keyOf)
  const one = withPicked(none, rows.slice(0, 1), true, keyOf)
  expect(offersAll(page, both, 10_231, false)).toBe(true)
  expect(offersAll(page, one, 10_231, false)).toBe(false)
  expect(offersAll(page, both, 2, false)).toBe(false)
  expect(offersAll(page, none, 10_231, true)).toBe(false)
  expect(offersAll(page, one, 10_231, true)).toBe(true)
})
