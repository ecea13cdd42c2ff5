import { expect, test } from 'vitest'
import * as z from 'zod'
import { parseUrlState, writeUrlState } from './url-state.ts'

const schema = z.object({
  page: z.coerce.number().int().min(1).catch(1),
  name: z.string(),
  kinds: z.preprocess((raw) => (raw === undefined ? [] : [raw].flat()), z.array(z.string())),
})
const defaults = { page: 1, name: '', kinds: [] as string[] }
const read = (query: string, prefix?: string) => parseUrlState(schema, defaults, new URLSearchParams(query), prefix)

test('an empty query gives the defaults', () => {
  expect(read('')).toEqual(defaults)
})

test('values come back typed and repeated names become a list', () => {
  expect(read('page=3&name=a%20b&kinds=x&kinds=y')).toEqual({ page: 3, name: 'a b', kinds: ['x', 'y'] })
  expect(read('kinds=x').kinds).toEqual(['x'])
})

test('a hand-edited value that the schema refuses falls back', () => {
  expect(read('page=minus').page).toBe(1)
})

test('only values that differ from the defaults are written and foreign ones stay', () => {
  const before = new URLSearchParams('tab=log&page=2')
  const after = writeUrlState(before, { page: 1, name: '泵', kinds: ['x', 'y'] }, defaults)
  expect(after.toString()).toBe(`tab=log&name=${encodeURIComponent('泵')}&kinds=x&kinds=y`)
  expect(before.toString()).toBe('tab=log&page=2')
})

test('a prefix keeps two lists of one page apart', () => {
  const both = writeUrlState(new URLSearchParams('page=2'), { page: 5 }, defaults, 'log-')
  expect(both.toString()).toBe('page=2&log-page=5')
  expect(read(both.toString(), 'log-').page).toBe(5)
  expect(read(both.toString()).page).toBe(2)
})
