import { expect, test } from 'vitest'
import { type Piece, planFiles, type Visit } from './plan.ts'

const request = 100
const piece = (file: string, bytes: number, imports: string[] = []): Piece => ({
  file,
  entry: null,
  imports,
  modules: { [file]: bytes },
})
const screen = (file: string, ...imports: string[]): Piece => ({ ...piece(file, 10, imports), entry: file })
const visit = (...entries: string[]): Visit => ({ entries, times: 1 })

const plan = (pieces: Piece[], visits: Visit[]) =>
  planFiles(pieces, visits, request)
    .map((modules) => modules.toSorted().join('+'))
    .sort()

test('what the same visits need is one file, and an entry keeps its own', () => {
  const pieces = [screen('A', 'x', 'y'), screen('B', 'x', 'y'), piece('x', 5000), piece('y', 9000)]
  expect(plan(pieces, [visit('A'), visit('B')])).toEqual(['x+y'])
})

test('a little is loaded in vain to save a request, much is not', () => {
  const pieces = (bytes: number) => [screen('A', 'x', 'y'), screen('B', 'x'), piece('x', 5000), piece('y', bytes)]
  expect(plan(pieces(request - 1), [visit('A'), visit('B')])).toEqual(['x+y'])
  expect(plan(pieces(request + 1), [visit('A'), visit('B')])).toEqual(['x', 'y'])
})

test('what comes along with a file is loaded in vain, too', () => {
  const pieces = (bytes: number) => [
    screen('A', 'x', 'y'),
    screen('B', 'x'),
    screen('C', 'big'),
    piece('x', 5000),
    piece('y', 10, ['big']),
    piece('big', bytes),
  ]
  const visits = [visit('A'), visit('B'), { ...visit('C'), times: 100 }]
  expect(plan(pieces(request - 20), visits)).toEqual(['big', 'x+y'])
  expect(plan(pieces(request), visits)).toEqual(['big', 'x', 'y'])
})

test('a visit that is made often is spared more', () => {
  const pieces = [screen('A', 'x', 'y'), screen('B', 'x'), piece('x', 5000), piece('y', request - 1)]
  expect(plan(pieces, [visit('A'), { ...visit('B'), times: 2 }])).toEqual(['x', 'y'])
})

test('entries that are loaded together count as one visit', () => {
  const pieces = [screen('A', 'x'), screen('B', 'y'), piece('x', 5000), piece('y', 5000)]
  expect(plan(pieces, [visit('A'), visit('B')])).toEqual(['x', 'y'])
  expect(plan(pieces, [visit('A', 'B')])).toEqual(['x+y'])
})

test('no two files import each other, not even by way of a third', () => {
  const pieces = [screen('A', 'top'), piece('top', 10, ['B']), screen('B', 'low'), piece('low', 10)]
  expect(plan(pieces, [visit('A')])).toEqual(['low', 'top'])
  expect(plan([screen('A', 'top'), piece('top', 10, ['low']), piece('low', 10)], [visit('A')])).toEqual(['low+top'])
})
