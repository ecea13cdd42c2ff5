import { listLoginLogs } from '@ithings/contract/features/logs.ts'
import { expect, test } from 'vitest'
import { dateRangeOf, describePeriod } from './log-period.ts'

const now = new Date(2026, 10, 15, 12).getTime()
const day = 24 * 60 * 60_000

test('without a choice the last seven days are asked for, with no end', () => {
  expect(dateRangeOf(undefined, now)).toEqual({ start: String(now - 7 * day) })
  expect(describePeriod(undefined)).toBe('近7天')
})

test('yesterday ends before today begins', () => {
  const today = new Date(2026, 10, 15).getTime()
  expect(dateRangeOf('3', now)).toEqual({ start: String(today - day), end: String(today - 1) })
})

test('a chosen range is sent as it is, an unreadable one falls back to seven days', () => {
  expect(dateRangeOf('1794700000000~1794710000000', now)).toEqual({ start: '1794700000000', end: '1794710000000' })
  expect(dateRangeOf('abc', now)).toEqual({ start: String(now - 7 * day) })
})

test('the contract takes what is sent', () => {
  for (const text of [undefined, '0', '1', '2', '3', '4', '1794700000000~1794710000000']) {
    expect(listLoginLogs.body.safeParse({ dateRange: dateRangeOf(text, now) }).success).toBe(true)
  }
})
