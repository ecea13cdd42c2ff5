import { expect, test } from 'vitest'
import { failuresText, forceText, retriedNote, retryText } from './task-words.ts'

const running = { status: 2, paused: 0, haltReason: '' }
const paused = { ...running, paused: 1 }
const halted = { ...paused, haltReason: '失败率过高' }

test('devices tried again are pushed at once only where the task is at work', () => {
  expect(retryText(running)).toContain('按任务的速率重新推送')
  expect(retryText(paused)).toContain('任务已暂停，继续任务之后才')
  expect(retryText(halted)).toContain('任务已自动停止，继续任务之后才')
  expect([running, paused, halted].map(retriedNote)).toEqual(['', '，继续任务后推送', '，继续任务后推送'])
})

test('a task that is over begins again with what is tried again', () => {
  expect(retryText({ ...halted, status: 3 })).toBe(retryText(running))
  expect(retriedNote({ ...halted, status: 4 })).toBe('')
})

test('the most frequent failures are named with their devices', () => {
  const reasons = [
    { reason: '写入失败', count: 1200 },
    { reason: '超时', count: 2 },
  ]
  expect(failuresText(reasons)).toBe('写入失败 1,200 台、超时 2 台')
  expect(failuresText([...reasons, ...reasons])).toBe('写入失败 1,200 台、超时 2 台、写入失败 1,200 台 等')
})

test('force says which protection it switches off, and that later stages keep theirs', () => {
  const rule = { percent: 100, successPercent: 90, failPercent: 10 }
  const one = { ...rule, devices: 5, success: 0, failed: 0, counts: {}, startedTime: 0, away: 0 }
  const task = { stage: 0, stages: [one, one], counts: { 101: 1500, 402: 3 } }
  expect(forceText(task)).toContain('关闭阶段 1 的自动停止')
  expect(forceText(task)).toContain('1,500 台')
  expect(forceText(task)).toContain('之后的阶段仍按各自的阈值自动停止')
  expect(forceText({ ...task, stage: 1 })).toContain('关闭阶段 2 的自动停止')
  expect(forceText({ ...task, stage: 1 })).not.toContain('之后的阶段')
  const nobody = { ...one, devices: 0 }
  expect(forceText({ ...task, stage: 1, stages: [nobody, one, nobody] })).toContain('关闭阶段 1 的自动停止')
  expect(forceText({ ...task, stage: 1, stages: [nobody, one, nobody] })).not.toContain('之后的阶段')
})
