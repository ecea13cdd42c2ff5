import { expect, test } from 'vitest'
import { sizeText } from '#kit/size-text.ts'
import { durationText, taskLook } from './labels.ts'
import {
  barParts,
  endedOf,
  expectedEnd,
  funnelOf,
  haltGauge,
  isBlocked,
  percentText,
  shownStages,
  stageNo,
  stageState,
  successRate,
  totalOf,
} from './progress.ts'

const counts = { 101: 6, 301: 9, 401: 18, 402: 4, 501: 71, 601: 0, 701: 0 }

test('look.md: a bar shows success, failed, too new, running, pushed; what is left has not begun', () => {
  const parts = barParts(counts)
  expect(parts.map(({ label, value }) => [label, value])).toEqual([
    ['升级成功', 71],
    ['升级失败', 4],
    ['版本过高', 0],
    ['升级中', 18],
    ['已推送', 9],
  ])
  expect(totalOf(counts) - parts.reduce((sum, { value }) => sum + value, 0)).toBe(6)
})

test('look.md: the funnel counts who reached a step, its figure who stands there', () => {
  expect(totalOf(counts)).toBe(108)
  expect(funnelOf(counts).map(({ here, reached }) => [here, reached])).toEqual([
    [6, 108],
    [9, 102],
    [18, 93],
    [71, 71],
  ])
})

test('a task without devices has an empty funnel', () => {
  expect(funnelOf({}).every(({ percent, reached }) => percent === 0 && reached === 0)).toBe(true)
})

test('cancelled devices and those that are too new are at their end but say nothing about the firmware', () => {
  const some = { 501: 3, 402: 1, 601: 2, 701: 4, 101: 5 }
  expect(endedOf(some)).toBe(10)
  expect(successRate(some)).toBe(75)
  expect(successRate({ 101: 9, 701: 3 })).toBeUndefined()
})

const stage = (stageCounts: Record<string, number>, failPercent = 20) => ({
  percent: 10,
  successPercent: 95,
  failPercent,
  counts: stageCounts,
})

test('the gauge says how many more failures halt the stage', () => {
  const gauge = haltGauge(stage(counts, 8))
  expect(gauge?.rate).toBeCloseTo(5.33, 1)
  expect(gauge).toMatchObject({ ended: 75, failed: 4, left: 3, tone: 'near' })
})

test('a stage that never halts has no gauge, one over its threshold has nothing left', () => {
  expect(haltGauge(stage({ 501: 1, 402: 9 }, 0))).toBeUndefined()
  expect(haltGauge(stage({ 501: 6, 402: 4 }, 30))).toMatchObject({ left: 0, tone: 'over' })
})

test('a gauge before the first answer is calm; devices that left the stage make it smaller', () => {
  expect(haltGauge(stage({ 101: 12 }))).toMatchObject({ rate: 0, left: 3, tone: 'calm' })
  expect(haltGauge(stage({ 101: 2, 701: 10 }))).toMatchObject({ left: 1 })
})

test('a stage that somebody lets pass shows its rate, but no failure halts it', () => {
  expect(haltGauge(stage({ 501: 6, 402: 4 }), true)).toMatchObject({ rate: 40, left: undefined, tone: 'over' })
})

test('stages before the one at work are passed, the halted one says so, a finished task has none at work', () => {
  const task = { status: 2, stage: 1, paused: 0, haltReason: '' }
  expect([0, 1, 2].map((index) => stageState(task, index, true))).toEqual(['passed', 'working', 'waiting'])
  expect(stageState({ ...task, paused: 1, haltReason: '失败率 30%' }, 1, true)).toBe('halted')
  expect(stageState({ ...task, status: 3 }, 1, false)).toBe('passed')
  expect([0, 1, 2].map((index) => stageState({ ...task, status: 4 }, index, false))).toEqual([
    'passed',
    'cancelled',
    'waiting',
  ])
})

test('stages without devices are neither shown nor counted', () => {
  const stages = [1, 0, 3, 0].map((devices) => ({ devices }))
  expect(shownStages(stages).map(({ no }) => no)).toEqual([0, 2])
  expect([0, 2].map((index) => stageNo(stages, index))).toEqual([1, 2])
  expect(stageNo([{ devices: 0 }], 0)).toBe(1)
})

test('percentages are never rounded to all or none', () => {
  expect([0, 0.01, 5.333, 94.44, 99.99, 100].map(percentText)).toEqual([
    '0%',
    '<0.1%',
    '5.3%',
    '94.4%',
    '99.9%',
    '100%',
  ])
})

test('spec 4: a finished task warns when devices failed; a pause and a halt come before the state', () => {
  const task = { status: 3, paused: 0, haltReason: '', counts: { 501: 3 } }
  expect(taskLook(task).tone).toBe('success')
  expect(taskLook({ ...task, counts: { 501: 3, 601: 1 } }).tone).toBe('warning')
  expect(taskLook({ ...task, status: 2, paused: 1 }).text).toBe('已暂停')
  expect(taskLook({ ...task, status: 2, paused: 1, haltReason: '失败率过高' })).toEqual({
    text: '已自动停止',
    tone: 'error',
  })
  expect(taskLook({ ...task, status: 4, paused: 1, haltReason: '失败率过高' }).text).toBe('已取消')
})

test('sizes and durations are short', () => {
  expect([0, 900, 1536, 3_250_000, 524_288_000, 5 * 1024 ** 3].map(sizeText)).toEqual([
    '0 B',
    '900 B',
    '1.5 KB',
    '3.1 MB',
    '500 MB',
    '5 GB',
  ])
  expect([5, 1300, 3600, 5400, 200_000].map(durationText)).toEqual([
    '不到 1 分钟',
    '约 22 分钟',
    '约 1 小时',
    '约 1 小时 30 分钟',
    '约 3 天',
  ])
})

test('a forecast is made from those that move; who is away blocks and has none', () => {
  const half = { counts: { 501: 2, 101: 2 }, away: 2, startedTime: 1_000 }
  expect([expectedEnd(half, 8_200), isBlocked(half)]).toEqual([undefined, true])
  const moving = { ...half, counts: { 501: 2, 401: 1, 101: 2 } }
  expect([expectedEnd(moving, 1_200), isBlocked(moving)]).toEqual([1_300, false])
  expect(isBlocked({ ...half, away: 0 })).toBe(false)
})

test('devices that were never activated, skipped or too new are no pace', () => {
  expect(expectedEnd({ counts: { 101: 30 }, away: 30, startedTime: 1_000 }, 1_100)).toBeUndefined()
  expect(expectedEnd({ counts: { 101: 3, 601: 4, 701: 9 }, away: 0, startedTime: 1_000 }, 1_100)).toBeUndefined()
})
