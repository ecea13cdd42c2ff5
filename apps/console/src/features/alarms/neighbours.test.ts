import { expect, test } from 'vitest'
import { neighboursOf } from './neighbours.ts'

const rows = [{ id: 1 }, { id: 2 }, { id: 3 }]

test('the arrows follow the rows on screen', () => {
  expect(neighboursOf(rows, 2, undefined)).toEqual({ previous: { id: 1 }, next: { id: 3 } })
  expect(neighboursOf(rows, 3, undefined)).toEqual({ previous: { id: 2 }, next: undefined })
})

test('a record that left the queue is followed by the one that took its place', () => {
  expect(neighboursOf([{ id: 1 }, { id: 3 }], 2, 1)).toEqual({ previous: { id: 1 }, next: { id: 3 } })
  expect(neighboursOf([{ id: 1 }], 3, 2)).toEqual({ previous: { id: 1 }, next: undefined })
  expect(neighboursOf(rows, 9, undefined)).toEqual({ previous: undefined, next: { id: 1 } })
})
