import { fill } from '@ithings/contract/text.ts'
import { expect, test } from 'vitest'
import { numberText } from './number-text.ts'

test('a number is written as in sentences, however many decimals are asked for', () => {
  expect(numberText(1_234_567)).toBe(fill('{count, number}', { count: 1_234_567 }))
  expect([numberText(1234.56789), numberText(1234.56789, 6), numberText(0.5, 1, 1), numberText(2, 1, 1)]).toEqual([
    '1,234.568',
    '1,234.56789',
    '0.5',
    '2.0',
  ])
})
