import { deviceNamePattern } from '@ithings/contract/features/devices/info.ts'
import { expect, test } from 'vitest'
import { randomDeviceName, seriesFits, seriesPreview } from './device-name.ts'

test('a random name obeys the rule and is not the one before', () => {
  const names = Array.from({ length: 50 }, () => randomDeviceName())
  expect(names.every((name) => deviceNamePattern.test(name))).toBe(true)
  expect(new Set(names).size).toBe(50)
})

test('the preview shows how the series begins and ends', () => {
  const series = { prefix: 'PS-', start: 8, digits: 3 }
  expect(seriesPreview({ ...series, count: 100 })).toEqual(['PS-008', 'PS-009', 'PS-010', '…', 'PS-107'])
  expect(seriesPreview({ ...series, count: 4 })).toEqual(['PS-008', 'PS-009', 'PS-010', 'PS-011'])
  expect(seriesPreview({ ...series, count: 1 })).toEqual(['PS-008'])
})

test('a series whose last name is too long does not fit', () => {
  const long = { prefix: 'p'.repeat(40), start: 1, digits: 8 }
  expect(seriesFits({ ...long, count: 9 })).toBe(true)
  expect(seriesFits({ ...long, start: 99_999_999, count: 2 })).toBe(false)
})
