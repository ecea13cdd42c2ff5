import { filteredResult } from '@ithings/contract/features/devices/bulk.ts'
import { JobStatus } from '@ithings/contract/features/jobs.ts'
import { expect, test } from 'vitest'
import { outcomeText, resultOf } from './bulk-result.tsx'

const whole = { total: 10_231, success: 10_231, failedCount: 0, failed: [] }

test('what became of all devices of a filter, the gone ones apart from the failed ones', () => {
  expect(outcomeText(whole)).toBe('10,231 台成功')
  expect(outcomeText({ ...whole, success: 10_225, failedCount: 2 })).toBe('10,225 台成功，2 台失败，4 台已不存在')
})

test('a job that has not come to its end has found nothing', () => {
  const result = JSON.stringify(whole)
  expect(resultOf({ status: JobStatus.done, result }, filteredResult)).toEqual(whole)
  expect(resultOf({ status: JobStatus.cancelled, result: '' }, filteredResult)).toBeUndefined()
  expect(resultOf({ status: JobStatus.done, result: '{}' }, filteredResult)).toBeUndefined()
})
