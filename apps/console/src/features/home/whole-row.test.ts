import { expect, test } from 'vitest'
import { wholeRow } from './whole-row.ts'

const rows = (count: number, height: number) => Array.from({ length: count }, () => height)

test('as many whole rows as the room holds share it', () => {
  // 194 pixels of a wall: five rows of 35.2 and a half were shown.
  expect(wholeRow(194, rows(17, 35.2))).toBeCloseTo(38.8, 6)
  expect(wholeRow(390, rows(17, 70.4))).toBeCloseTo(78, 6)
})

test('the tallest row counts', () => {
  expect(wholeRow(100, [20, 20, 33, 40])).toBe(50)
})

test('rows that all have room stay as they are', () => {
  expect(wholeRow(100, [])).toBeUndefined()
  expect(wholeRow(100, rows(5, 20))).toBeUndefined()
  expect(wholeRow(100, rows(5, 20.06))).toBeUndefined()
})

test('a room that is lower than a row shows one', () => {
  expect(wholeRow(30, rows(3, 40))).toBe(30)
})
