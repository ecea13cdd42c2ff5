import { expect, test } from 'vitest'
import { durationText, handlerName, lastedMs, recordLook, sourceName, timeLeft } from './record-words.ts'
import { sampleRecord } from './testing/sample-record.ts'

const minute = 60_000

test('a duration has two units at most and drops an empty second one', () => {
  expect([0, 59_999, 13 * minute + 36_000, 27 * minute, 72 * minute, 76 * 60 * minute].map(durationText)).toEqual([
    '0 秒',
    '59 秒',
    '13 分 36 秒',
    '27 分',
    '1 小时 12 分',
    '3 天 4 小时',
  ])
  expect(durationText(-5000)).toBe('0 秒')
})

test('an open record lasts until now, a handled one until it was handled', () => {
  expect(lastedMs(sampleRecord({ firstAlarm: 1000 }), 61_000)).toBe(60_000)
  expect(lastedMs(sampleRecord({ firstAlarm: 1000, dealState: 3, dealTime: 4000 }), 61_000)).toBe(3000)
})

test('the state tells a claimed record from an open one and how a handled one ended', () => {
  const text = (over: Parameters<typeof sampleRecord>[0]) => recordLook(sampleRecord(over)).text
  expect(text({})).toBe('告警中')
  expect(text({ claimUserID: '7', claimUserName: '周海' })).toBe('处理中')
  expect(text({ dealState: 3, dealResult: '已更换阀芯' })).toBe('已处理')
  expect(text({ dealState: 3, dealResult: '忽略' })).toBe('已忽略')
  expect(text({ dealState: 3, dealResult: '场景触发解除告警' })).toBe('已解除')
  expect(text({ dealState: 9 })).toBe('未知（9）')
})

test('the handler is the one who claimed it, then the one who ended it, else the system', () => {
  expect(handlerName(sampleRecord({ claimUserID: '7', claimUserName: '周海' }))).toBe('周海')
  expect(handlerName(sampleRecord({ dealState: 3, dealTime: 5, dealUserName: '李娜' }))).toBe('李娜')
  expect(handlerName(sampleRecord({ dealState: 3, dealTime: 5 }))).toBe('系统')
})

test('the source is the alias, else the name, else the scene of a record without a device', () => {
  expect(sourceName(sampleRecord({ deviceAlias: '' }))).toBe('P02')
  expect(sourceName(sampleRecord({}))).toBe('闵行三号泵站-P02')
  expect(sourceName(sampleRecord({ triggerType: 2, deviceName: '', productID: '' }))).toBe('场景 水泵超温联锁停泵')
})

test('the time left counts down, warns and tells how much too late it is', () => {
  const now = 1_000_000_000
  expect(timeLeft(sampleRecord({ dueTime: 0 }), now)).toBeUndefined()
  expect(timeLeft(sampleRecord({ dueTime: now + 5, dealState: 3 }), now)).toBeUndefined()
  expect(timeLeft(sampleRecord({ dueTime: now + 30 * minute }), now)).toEqual({ text: '剩 30 分', tone: 'ok' })
  expect(timeLeft(sampleRecord({ dueTime: now + minute }), now)).toEqual({ text: '剩 1 分', tone: 'soon' })
  expect(timeLeft(sampleRecord({ dueTime: now - minute }), now)).toEqual({ text: '超时 1 分', tone: 'over' })
})
