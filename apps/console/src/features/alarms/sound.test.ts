import { expect, test } from 'vitest'
import { isNewAlarm } from './sound.ts'

test('the tone sounds when an alarm opens, not for what was there before', () => {
  expect(isNewAlarm(undefined, 1000)).toBe(false)
  expect(isNewAlarm(0, 1000)).toBe(true)
  expect(isNewAlarm(1000, 2000)).toBe(true)
})

test('an open alarm that reports again, and one that was handled, are silent', () => {
  expect(isNewAlarm(2000, 2000)).toBe(false)
  expect(isNewAlarm(2000, 1000)).toBe(false)
  expect(isNewAlarm(2000, 0)).toBe(false)
  expect(isNewAlarm(2000, undefined)).toBe(false)
})
