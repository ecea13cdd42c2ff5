import { expect, test } from 'vitest'
import { type Piece, planFiles, type Visit } from './plan.ts'

const request = 100
const piece = (file: string, bytes: number, imports: string[] = []): Piece => ({
  file,
  entry: null,
  imports,
  modules: { [file]: bytes },
})
/** Too large to be loaded in vain. */
const screen = (file: string, ...imports: string[]): Piece => ({ ...piece(file, 5000, imports), entry: file })
/** Two of a kind: neither takes along what the other needs, too. */
const twins = (file: string, ...imports: string[]) => [screen(file, ...imports), screen(`${file}2`, ...imports)]
const visit = (...entries: string[]): Visit => ({ entries, times: 1 })
/** Somebody who needs none of it: nothing is met by everybody. */
const passer = visit('nothing')

const plan = (pieces: Piece[], visits: Visit[]) =>
  planFiles(pieces, [...visits, passer], 'start', request)
    .files.map((modules) => modules.toSorted().join('+'))
    .sort()

test('what the same visits need is one file', () => {
  const pieces = [screen('A', 'x', 'y'), screen('B', 'x', 'y'), piece('x', 5000), piece('y', 9000)]
  expect(plan(pieces, [visit('A'), visit('B')])).toEqual(['x+y'])
})

test('an entry takes along what nobody else needs, and one that stays alone keeps its name', () => {
  const pieces = [screen('A', 'x'), screen('B', 'y'), screen('C', 'y'), piece('x', 5000), piece('y', 5000)]
  expect(plan(pieces, [visit('A'), visit('B'), visit('C')])).toEqual(['A+x', 'y'])
})

test('what every visit needs comes with the start, which joins nothing itself', () => {
  const pieces = [screen('start'), screen('A', 'x', 'y'), screen('B', 'x'), piece('x', 5000), piece('y', 5000)]
  const { always, files } = planFiles(pieces, [visit('start', 'A'), visit('start', 'B')], 'start', request)
  expect(always).toEqual(['x'])
  expect(files.map((modules) => modules.toSorted())).toEqual([['A', 'y']])
})

const both = (file: string, times = 1): Visit[] => [file, `${file}2`].map((one) => ({ ...visit(one), times }))

test('a little is loaded in vain to save a request, much is not', () => {
  const pieces = (bytes: number) => [...twins('A', 'x', 'y'), ...twins('B', 'x'), piece('x', 5000), piece('y', bytes)]
  expect(plan(pieces(request - 1), [...both('A'), ...both('B')])).toEqual(['x+y'])
  expect(plan(pieces(request + 1), [...both('A'), ...both('B')])).toEqual(['x', 'y'])
})

test('what comes along with a file is loaded in vain, too', () => {
  const pieces = (bytes: number) => [
    ...twins('A', 'x', 'y'),
    ...twins('B', 'x'),
    ...twins('C', 'big'),
    piece('x', 5000),
    piece('y', 10, ['big']),
    piece('big', bytes),
  ]
  const visits = [...both('A'), ...both('B'), ...both('C', 100)]
  expect(plan(pieces(request - 20), visits)).toEqual(['big', 'x+y'])
  expect(plan(pieces(request), visits)).toEqual(['big', 'x', 'y'])
})

test('a visit that is made often is spared more', () => {
  const pieces = [...twins('A', 'x', 'y'), ...twins('B', 'x'), piece('x', 5000), piece('y', request - 1)]
  expect(plan(pieces, [...both('A'), ...both('B', 2)])).toEqual(['x', 'y'])
})

test('entries that are loaded together count as one visit', () => {
  const pieces = [screen('A', 'x'), screen('B', 'y'), piece('x', 5000), piece('y', 5000)]
  expect(plan(pieces, [visit('A'), visit('B')])).toEqual(['A+x', 'B+y'])
  expect(plan(pieces, [visit('A', 'B')])).toEqual(['A+B+x+y'])
})

test('no two files import each other, not even by way of a third', () => {
  const between = [...twins('A', 'top'), piece('top', 10, ['start']), screen('start', 'low'), piece('low', 10)]
  expect(plan(between, both('A'))).toEqual(['low', 'top'])
  const direct = [...twins('A', 'top'), piece('top', 10, ['low']), piece('low', 10)]
  expect(plan(direct, both('A'))).toEqual(['low+top'])
})

test('no request is worth that a page comes to load more than its limit, in one step or in several', () => {
  const small = ['x', 'y', 'z'].map((name) => piece(name, 40))
  const pieces = [...twins('A', 'x', 'y', 'z'), ...twins('B', 'x'), ...small]
  const limited = (limit: number): Visit[] => [
    ...both('A'),
    ...both('B').map((one) => ({ ...one, limit: 5000 + 40 + limit })),
  ]
  expect(plan(pieces, limited(80))).toEqual(['x+y+z'])
  expect(plan(pieces, limited(79))).toEqual(['x', 'y+z'])
})

test('what comes along with a file counts against the limit', () => {
  const pieces = [
    ...twins('A', 'x', 'y'),
    ...twins('B', 'x'),
    ...twins('C', 'below'),
    piece('x', 5000),
    piece('y', 10, ['below']),
    piece('below', 50),
  ]
  const limited = (limit: number): Visit[] => [
    ...both('A'),
    ...both('B').map((one) => ({ ...one, limit: 10_000 + limit })),
    ...both('C', 100),
  ]
  expect(plan(pieces, limited(60))).toContain('x+y')
  expect(plan(pieces, limited(59))).not.toContain('x+y')
})

test('who may load few files gets some of them as one, though others load them in vain', () => {
  const pieces = [...twins('A', 'x', 'y'), ...twins('B', 'x'), piece('x', 5000), piece('y', request + 1)]
  const visits = [...both('A'), ...both('B', 2)]
  expect(plan(pieces, visits)).toEqual(['x', 'y'])
  expect(plan(pieces, [...both('A').map((one) => ({ ...one, files: 3 })), ...both('B', 2)])).toEqual(['x+y'])
})
