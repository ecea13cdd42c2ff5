import { expect, test } from 'vitest'
import { strengthOf } from './strength-meter.tsx'

test('short or one-kind passwords are weak, long and mixed ones strong', () => {
  expect(strengthOf('')).toBe(0)
  expect(strengthOf('Ab1')).toBe(1)
  expect(strengthOf('abcdefghijkl')).toBe(1)
  expect(strengthOf('abcdefg1')).toBe(2)
  expect(strengthOf('Abcdefgh1234')).toBe(3)
  expect(strengthOf('abcdefgh1234')).toBe(2)
})
