import { expect, test } from 'vitest'
import { neighboursOf } from './log-neighbours.ts'

const list = [{ id: '9' }, { id: '8' }, { id: '7' }]

test('the arrows follow the order of the list and stop at its ends', () => {
  expect(neighboursOf(list, '8')).toEqual({ previous: { id: '9' }, next: { id: '7' }, position: 2, count: 3 })
  expect(neighboursOf(list, '9')?.previous).toBeUndefined()
  expect(neighboursOf(list, '7')?.next).toBeUndefined()
})

test('a row that left the list has no neighbours', () => {
  expect(neighboursOf(list, '1')).toBeUndefined()
})
