import { expect, test } from 'vitest'
import {
  asOfRun,
  cancelTaskText,
  cancelText,
  progressParts,
  runOf,
  scheduleText,
  statusNote,
  targetText,
  tookText,
  whyNot,
} from './task-words.ts'

const task = {
  scheduleType: 1,
  isEnable: 1,
  status: 1,
  total: 10,
  success: 0,
  failed: 0,
  lastRunID: '',
  runAt: 0,
  nextRunTime: 0,
  cron: '',
  reason: '',
}

test('a target reads as in screens.md 7', () => {
  expect(targetText({ targetType: 1, targetCount: 1200, targetName: '' })).toBe('指定设备（1,200）')
  expect(targetText({ targetType: 2, targetCount: 3, targetName: '水泵' })).toBe('产品全部')
  expect(targetText({ targetType: 3, targetCount: 3, targetName: '上海' })).toBe('分组「上海」')
})

test('a schedule says its kind and its moment', () => {
  expect(scheduleText(task)).toBe('立即')
  expect(scheduleText({ ...task, scheduleType: 3, cron: '0 0 2 * * *' })).toBe('周期 0 0 2 * * *')
})

test('what is left counts as unfinished only while the task runs', () => {
  const counted = { total: 10, success: 6, failed: 1 }
  expect(progressParts({ ...counted, status: 2 }).map(({ value }) => value)).toEqual([6, 1, 3])
  expect(progressParts({ ...counted, status: 4 }).map(({ value }) => value)).toEqual([6, 1, 0])
})

test('a disabled schedule and the reason of an end stand under the status', () => {
  expect(statusNote({ ...task, scheduleType: 3, isEnable: 2 })).toBe('已停用')
  expect(statusNote({ ...task, reason: '已取消' })).toBe('已取消')
})

test('a task is edited before its first run, or while its schedule is disabled (screens.md 7.3)', () => {
  expect(whyNot.edit(task)).toBeUndefined()
  expect(whyNot.edit({ ...task, status: 2, lastRunID: '1' })).toContain('复制')
  expect(whyNot.edit({ ...task, status: 3, lastRunID: '1', scheduleType: 3 })).toBe('周期任务停用后才能编辑')
  expect(whyNot.edit({ ...task, status: 3, lastRunID: '1', scheduleType: 3, isEnable: 2 })).toBeUndefined()
})

test('only what has ended or is disabled is deleted', () => {
  expect(whyNot.remove(task)).toBe('等待执行，请先取消')
  expect(whyNot.remove({ ...task, status: 2, lastRunID: '1' })).toBe('正在执行，请先取消')
  expect(whyNot.remove({ ...task, status: 3, lastRunID: '1' })).toBeUndefined()
  expect(whyNot.remove({ ...task, status: 3, lastRunID: '1', scheduleType: 3 })).toBe('周期任务请先停用')
  expect(whyNot.remove({ ...task, status: 1, scheduleType: 3, isEnable: 2 })).toBeUndefined()
})

test('cancel, retry and run are offered where they can do something', () => {
  const running = { ...task, status: 2, lastRunID: '1' }
  expect([whyNot.cancel(running), whyNot.cancel(task)]).toEqual([undefined, undefined])
  expect(whyNot.cancel({ ...task, status: 4, lastRunID: '1' })).toBe('已经结束')
  expect(whyNot.cancel({ ...task, scheduleType: 3 })).toContain('停用')
  expect(whyNot.retry({ ...running, failed: 2 })).toBeUndefined()
  expect(whyNot.retry(running)).toBe('没有失败的设备')
  expect(whyNot.run(running)).toContain('正在执行')
  expect(whyNot.run({ ...task, status: 3, lastRunID: '1' })).toBeUndefined()
})

test('an earlier run that goes on again can be cancelled although the latest one is over', () => {
  const over = { ...task, status: 3, success: 10, lastRunID: '9' }
  const reopened = { status: 2, total: 10, success: 7, failed: 1 }
  expect(whyNot.cancel(over)).toBe('已经结束')
  expect(whyNot.cancel(asOfRun(over, reopened))).toBeUndefined()
  expect(whyNot.retry(over)).toBe('没有失败的设备')
  expect(whyNot.retry(asOfRun(over, reopened))).toBeUndefined()
  expect(whyNot.cancel(asOfRun({ ...over, status: 2 }, { ...reopened, status: 4 }))).toBe('已经结束')
})

test('one that was run before its moment can be cancelled, and deleted only then', () => {
  const early = { ...task, scheduleType: 2, status: 3, success: 10, lastRunID: '1', nextRunTime: 1_900_000_000 }
  expect(whyNot.cancel(early)).toBeUndefined()
  expect(whyNot.remove(early)).toBe('等待执行，请先取消')
  expect(whyNot.run(early)).toBeUndefined()
  const cancelled = { ...early, nextRunTime: 0, reason: '已取消' }
  expect(whyNot.cancel(cancelled)).toBe('已经结束')
  expect(whyNot.remove(cancelled)).toBeUndefined()
  expect(statusNote(cancelled)).toBe('定时执行已取消')
  // A chosen run that is over has nothing to cancel: the moment is the task's.
  expect(whyNot.cancel(asOfRun(early, { status: 4, total: 1, success: 0, failed: 1 }))).toBe('已经结束')
})

test('cancelling says whether a moment is given up, a run is stopped, or both', () => {
  const once = { ...task, scheduleType: 2, nextRunTime: 1_900_000_000 }
  expect(cancelTaskText(once)).toMatch(/^2030-03-1\d .*的定时执行不再进行。$/)
  const under = { ...once, status: 2, lastRunID: '1' }
  expect(cancelTaskText(under)).toMatch(/无法撤回.*的定时执行不再进行。$/)
  expect(cancelTaskText({ ...under, nextRunTime: 0 })).toBe(cancelText)
})

test('the time between sending and the answer reads in its own unit', () => {
  expect([tookText(1000, 1420), tookText(1000, 13_500), tookText(1000, 126_000)]).toEqual([
    '420 ms',
    '12.5 s',
    '2 分 5 秒',
  ])
  expect([tookText(0, 5), tookText(5, 0)]).toEqual(['', ''])
})

test('the latest run is the one that took place, not the line of a moment that was skipped', () => {
  const line = {
    startedTime: 1,
    finishedTime: 1,
    total: 0,
    success: 0,
    failed: 0,
    away: 0,
    trigger: 'timer',
    status: 4,
  }
  const runs = ['9', '8', '7'].map((runID) => ({ ...line, runID, reason: '' }))
  expect(runOf(runs, { lastRunID: '8' }, '')?.runID).toBe('8')
  expect(runOf(runs, { lastRunID: '8' }, '9')?.runID).toBe('9')
  expect(runOf(runs, { lastRunID: '' }, '')).toBeUndefined()
})
