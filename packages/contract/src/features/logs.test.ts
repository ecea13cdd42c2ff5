import { expect, test } from 'vitest'
import { LogResult, listLoginLogs, listOperationLogs, logResultLabels } from './logs.ts'

test('both logs are filtered by 1 success and 2 failure', () => {
  expect(LogResult).toEqual({ success: 1, failure: 2 })
  expect(logResultLabels).toEqual({ 1: '成功', 2: '失败' })
})

test('a time range is given by days or by milliseconds, open at either end', () => {
  const range = (dateRange: unknown) => listLoginLogs.body.parse({ dateRange }).dateRange
  expect(range({ start: '2026-01-01', end: '2026-01-31' })).toEqual({ start: '2026-01-01', end: '2026-01-31' })
  expect(range({ start: 1_767_225_600_000, end: '' })).toEqual({ start: '1767225600000', end: undefined })
  expect(range({})).toEqual({})
})

test.each(['yesterday', '2026/01/01', '20260101', -1, 1.5])('%j is no time of a range', (start) => {
  expect(listOperationLogs.body.safeParse({ dateRange: { start } }).success).toBe(false)
})

test('the range is also accepted under the name that the public console sends', () => {
  expect(listLoginLogs.body.parse({ date: { start: '2026-01-01', end: '2026-01-02' } }).date).toEqual({
    start: '2026-01-01',
    end: '2026-01-02',
  })
})

test('the operation type filter is accepted as digit text', () => {
  expect(listOperationLogs.body.parse({ businessType: '3' }).businessType).toBe(3)
  expect(listOperationLogs.body.safeParse({ businessType: '6' }).success).toBe(false)
})
