import { expect, test } from 'vitest'
import { judgeStage, stageBounds, stageSizes } from './stage-rules.ts'
import { pushSeconds, worstCase } from './worst-case.ts'

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
  expect(judgeStage(stage(1), counts(100, 7, 3))).toEqual({
    then: 'halt',
    reason: '失败率过高：10 台已结束，3 台失败（30%，阈值 20%）',
  })
  expect(judgeStage(stage(1), counts(100, 85, 15))).toEqual({
    then: 'halt',
    reason: '成功率不足：100 台中 85 台成功（85%，须达到 90%）',
  })
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

const pace = { maximumPerMinute: 50, timeoutInMinutes: 60, retryCount: 0, retryInterval: 10 }
test.each([
  ['the first stage bounds it', { ...pace, stages: three }, 10_000, 100],
  ['one stage: what is pushed until the tenth time-out', { ...pace, stages: [stage(100)] }, 10_000, 3_010],
  ['retries make it later', { ...pace, retryCount: 1, stages: [stage(100)] }, 10_000, 6_510],
  ['few devices need few failures', { ...pace, stages: [stage(100)] }, 4, 4],
  ['slow pushing', { ...pace, maximumPerMinute: 1, timeoutInMinutes: 1, stages: [stage(100)] }, 10_000, 11],
  ['no stages: nothing halts it', { ...pace, stages: [] }, 500, 500],
  ['no failure threshold: the stage never succeeds', { ...pace, stages: [stage(10, 90, 0), stage(100)] }, 100, 10],
  ['no threshold at all: the next stage', { ...pace, stages: [stage(10, 0, 0), stage(50), stage(100)] }, 100, 50],
  ['no devices', { ...pace, stages: three }, 0, 0],
] as const)('worst case: %s', (_name, plan, total, worst) => {
  expect(worstCase(plan, total)).toBe(worst)
})

test.each([
  [50, 1, 0],
  [50, 51, 60],
  [60, 2, 1],
  [60_000, 10_000, 10],
])('at %d a minute %d devices take %d s', (perMinute, total, seconds) => {
  expect(pushSeconds(perMinute, total)).toBe(seconds)
})
