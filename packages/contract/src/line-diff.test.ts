import { expect, test } from 'vitest'
import { diffLines, foldDiff } from './line-diff.ts'

const marks = (before: string, after: string) =>
  diffLines(before, after).map(({ kind, text }) => `${{ same: ' ', added: '+', removed: '-' }[kind]}${text}`)

test('equal texts have no changed line', () => {
  expect(marks('a\nb\n', 'a\nb')).toEqual([' a', ' b'])
  expect(marks('', '')).toEqual([])
})

test('inserted, removed and replaced lines are told apart', () => {
  expect(marks('a\nb\nc', 'a\nx\nb\nc')).toEqual([' a', '+x', ' b', ' c'])
  expect(marks('a\nb\nc', 'a\nc')).toEqual([' a', '-b', ' c'])
  expect(marks('a\nb\nc', 'a\nB\nc')).toEqual([' a', '-b', '+B', ' c'])
  expect(marks('', 'a')).toEqual(['+a'])
})

test('lines carry their numbers in both texts', () => {
  expect(diffLines('a\nb', 'x\na\nb').map(({ before, after }) => [before, after])).toEqual([
    [undefined, 1],
    [1, 2],
    [2, 3],
  ])
})

test('both texts can be put together again from the difference', () => {
  const before = 'one\ntwo\nthree\nfour\nfive'
  const after = 'zero\ntwo\nthree\n3.5\nfive\nsix'
  const lines = diffLines(before, after)
  expect(
    lines
      .filter((line) => line.kind !== 'added')
      .map((line) => line.text)
      .join('\n'),
  ).toBe(before)
  expect(
    lines
      .filter((line) => line.kind !== 'removed')
      .map((line) => line.text)
      .join('\n'),
  ).toBe(after)
})

test('long equal parts are folded away, three lines stay around a change', () => {
  const before = Array.from({ length: 20 }, (_, at) => `line ${at}`)
  const after = before.map((line, at) => (at === 10 ? 'changed' : line))
  const parts = foldDiff(diffLines(before.join('\n'), after.join('\n')))
  expect(parts.map((part) => (part.kind === 'gap' ? part.count : part.text))).toEqual([
    7,
    'line 7',
    'line 8',
    'line 9',
    'line 10',
    'changed',
    'line 11',
    'line 12',
    'line 13',
    6,
  ])
})
