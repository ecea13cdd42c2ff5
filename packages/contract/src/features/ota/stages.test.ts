import { expect, test } from 'vitest'
import { fill, say } from '#text.ts'
import { failuresLeft, judgeStage, stageBounds, stageCountsOf, stageSizes } from './stages.ts'

const stage = (percent: number, successPercent = 90, failPercent = 20) => ({ percent, successPercent, failPercent })
const three = [stage(1), stage(10), stage(100)]

test.each([
  [three, 10_000, [100, 1_000, 10_000]],
  [three, 150, [2, 15, 150]],
  [three, 1, [1, 1, 1]],
  [three, 0, [0, 0, 0]],
  [[stage(0.07), stage(100)], 10_000, [7, 10_000]],
  [[], 5, []],
] as const)('bounds of stages %# are rounded up and counted from the beginning', (stages, total, bounds) => {
  expect(stageBounds(stages, total)).toEqual(bounds)
})

test('a stage has the devices that no earlier one has', () => {
  expect(stageSizes(three, 10_000)).toEqual([100, 900, 9_000])
  expect(stageSizes(three, 1)).toEqual([1, 0, 0])
})

const counts = (total: number, success: number, failed: number, left = 0) => ({ total, success, failed, left })

test.each([
  ['nothing has ended', stage(1), counts(100, 0, 0), 'wait'],
  ['enough have succeeded although others are under way', stage(1), counts(100, 90, 1), 'next'],
  ['one too few has succeeded', stage(1), counts(100, 89, 1), 'wait'],
  ['a few failures among few are no share yet', stage(1), counts(100, 6, 3), 'wait'],
  ['the tenth end makes it a share', stage(1), counts(100, 7, 3), 'halt'],
  ['a share below the threshold goes on', stage(1), counts(100, 17, 3), 'wait'],
  ['a share at the threshold halts', stage(1), counts(100, 8, 2), 'halt'],
  ['so many failures that nothing can help', stage(1), counts(10, 0, 2), 'halt'],
  ['one failure of a stage of one', stage(1), counts(1, 0, 1), 'halt'],
  ['all have an end, too few succeeded, too few failed to halt', stage(1), counts(100, 85, 15), 'halt'],
  ['cancelled and higher ones do not count', stage(1), counts(100, 45, 5, 50), 'next'],
  ['a stage of which nobody is left', stage(1), counts(3, 0, 0, 3), 'next'],
  ['an empty stage', stage(1), counts(0, 0, 0), 'next'],
  ['no failure threshold', stage(1, 50, 0), counts(10, 0, 4), 'wait'],
  ['no failure threshold, and it cannot succeed', stage(1, 50, 0), counts(10, 4, 6), 'halt'],
  ['no success threshold: all must have an end', stage(1, 0, 0), counts(10, 9, 0), 'wait'],
  ['no success threshold, all have an end', stage(1, 0, 0), counts(10, 4, 6), 'next'],
] as const)('%s', (_name, one, seen, verdict) => {
  expect(judgeStage(one, seen).then).toBe(verdict)
})

test('a stage that somebody lets pass neither halts nor waits for success', () => {
  expect(judgeStage(stage(1), counts(10, 1, 8), true).then).toBe('wait')
  expect(judgeStage(stage(1), counts(10, 1, 9), true).then).toBe('next')
})

test('a halt says what was seen and what the threshold is', () => {
  const reasonOf = (seen: ReturnType<typeof counts>) => {
    const verdict = judgeStage(stage(1), seen)
    return verdict.then === 'halt' ? say(verdict.reason, fill) : verdict.then
  }
  expect(reasonOf(counts(100, 7, 3))).toBe('失败率过高：10 台已结束，3 台失败（30%，阈值 20%）')
  expect(reasonOf(counts(100, 85, 15))).toBe('成功率不足：100 台中 85 台成功（85%，须达到 90%）')
})

test('a firmware that fails on every third device never leaves its first stage, in whatever order', () => {
  for (let offset = 0; offset < 3; offset++) {
    const seen = { total: 100, success: 0, failed: 0, left: 0 }
    let verdict = judgeStage(stage(1), seen).then
    for (let i = 0; i < 100 && verdict === 'wait'; i++) {
      if (i % 3 === offset) seen.failed++
      else seen.success++
      verdict = judgeStage(stage(1), seen).then
    }
    expect(verdict).toBe('halt')
  }
})

test.each([
  ['4 of 75 failed', stage(10, 95, 8), counts(108, 71, 4), 3],
  ['before the first answer the certain number', stage(1), counts(12, 0, 0), 3],
  ['few devices need few', stage(1), counts(2, 0, 0), 1],
  ['those that left do not count', stage(1), counts(12, 0, 0, 10), 1],
  ['the share counts from the tenth end on', stage(1), counts(100, 7, 2), 1],
  ['it is there', stage(1), counts(10, 6, 4), 0],
  ['it never halts', stage(1, 90, 0), counts(10, 1, 9), undefined],
  ['too few are left to halt it', stage(1), counts(100, 98, 0), undefined],
  ['a stage without devices', stage(1), counts(0, 0, 0), undefined],
] as const)('failures left: %s', (_name, one, seen, left) => {
  expect(failuresLeft(one, seen)).toBe(left)
})

test('so many more failures are exactly those after which the stage is judged to halt', () => {
  for (let success = 0; success <= 40; success++) {
    for (let failed = 0; failed + success <= 40; failed++) {
      const seen = counts(40, success, failed)
      const left = failuresLeft(stage(1, 0), seen)
      if (left === undefined) continue
      const halts = (more: number) => judgeStage(stage(1, 0), { ...seen, failed: failed + more }).then === 'halt'
      expect([halts(left), left === 0 || !halts(left - 1)]).toEqual([true, true])
    }
  }
})

test('higher versions and cancelled devices have left a stage, whoever is under way has no end', () => {
  expect(stageCountsOf({ 101: 1, 301: 2, 401: 3, 402: 4, 501: 5, 601: 6, 701: 7 })).toEqual({
    total: 28,
    success: 5,
    failed: 4,
    left: 13,
  })
  expect(stageCountsOf({})).toEqual({ total: 0, success: 0, failed: 0, left: 0 })
})
