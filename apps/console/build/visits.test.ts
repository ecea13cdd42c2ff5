import { expect, test } from 'vitest'
import { type LazyPiece, visitsOf } from './visits.ts'

const piece = (file: string, entry: string | null, imports: string[] = [], later: string[] = []): LazyPiece => ({
  file,
  entry,
  imports,
  later,
  modules: { [file]: 1 },
})

const pieces = [
  piece('frame', 'frame', [], ['settings', 'screen']),
  piece('settings', 'settings'),
  piece('screen', 'a/screens/one', ['shared'], ['tab', 'settings', 'other']),
  piece('shared', null, [], ['dialog']),
  piece('tab', 'a/tab', [], ['chart']),
  piece('chart', 'kit/chart'),
  piece('dialog', 'a/dialog'),
  piece('other', 'a/screens/other'),
]
const visits = visitsOf(pieces, [{ entries: ['login'], times: 7 }], ['frame'])

test('a part that a screen loads later is met together with the screen, and what it loads in turn with both', () => {
  const one = visits.filter(({ entries }) => entries.includes('a/screens/one'))
  expect(one.map(({ entries }) => entries.join(' ')).sort()).toEqual([
    'frame a/screens/one',
    'frame a/screens/one a/dialog',
    'frame a/screens/one a/tab',
    'frame a/screens/one a/tab kit/chart',
  ])
  expect(one[0]?.times).toBeGreaterThan(one[1]?.times ?? 0)
})

test('a link to another screen leads to a visit of its own, and what the frame loads belongs to no screen', () => {
  expect(visits.map(({ entries }) => entries.join(' '))).toEqual(
    expect.arrayContaining(['login', 'frame a/screens/other', 'frame settings']),
  )
  expect(visits).toHaveLength(7)
})
