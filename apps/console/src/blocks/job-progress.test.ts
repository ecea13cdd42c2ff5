import { JobStatus } from '@ithings/contract/features/jobs.ts'
import { expect, test } from 'vitest'
import { lookOf } from '#kit/status-tag.tsx'
import { countText, isUnfinished, jobLooks } from './job-progress.tsx'

test('a job is followed while it waits or runs', () => {
  const followed = Object.values(JobStatus).filter((status) => isUnfinished({ status }))
  expect(followed).toEqual([JobStatus.waiting, JobStatus.running])
})

test('the count is shown once the whole is known', () => {
  expect(countText({ done: 1204, total: 10_000 })).toBe('1,204 / 10,000')
  expect(countText({ done: 0, total: 0 })).toBe('')
})

test('look.md: running blue, failed red, done green, waiting and cancelled grey', () => {
  const tones = [1, 2, 3, 4, 5].map((status) => lookOf(jobLooks, status).tone)
  expect(tones).toEqual(['default', 'processing', 'success', 'error', 'default'])
})
