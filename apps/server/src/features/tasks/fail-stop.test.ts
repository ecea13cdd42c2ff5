import { fill, sayKept } from '@ithings/contract/text.ts'
import { expect, test } from 'vitest'
import { failStop } from './task-kind.ts'

test('0 means that nothing stops it', () => {
  expect(failStop(0, { total: 10, success: 0, failed: 10 })).toBeUndefined()
})

test('it stops at the share, not below', () => {
  expect(failStop(30, { total: 1000, success: 70, failed: 29 })).toBeUndefined()
  expect(sayKept(failStop(30, { total: 1000, success: 70, failed: 30 }) ?? '', fill)).toBe('失败率达到 30%，已熔断')
})

test('the share is of those that are over, not of all', () => {
  expect(sayKept(failStop(50, { total: 1000, success: 5, failed: 5 }) ?? '', fill)).toBe('失败率达到 50%，已熔断')
})

test('it waits for ten, and for half of a few', () => {
  expect(failStop(10, { total: 1000, success: 0, failed: 9 })).toBeUndefined()
  expect(sayKept(failStop(10, { total: 1000, success: 0, failed: 10 }) ?? '', fill)).toBe('失败率达到 100%，已熔断')
  expect(failStop(10, { total: 6, success: 0, failed: 2 })).toBeUndefined()
  expect(sayKept(failStop(10, { total: 6, success: 2, failed: 1 }) ?? '', fill)).toBe('失败率达到 33%，已熔断')
  expect(sayKept(failStop(100, { total: 1, success: 0, failed: 1 }) ?? '', fill)).toBe('失败率达到 100%，已熔断')
})

test('without a failure it never stops', () => {
  expect(failStop(1, { total: 100, success: 100, failed: 0 })).toBeUndefined()
})
