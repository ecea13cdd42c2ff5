import { expect, test } from 'vitest'
import { detailText } from './device-words.ts'

const now = 1_700_000_000_000
const row = { status: 301, detail: '', attempts: 1, pushedTime: 0, doneTime: 0, probationUntil: 0 }

test('every state has words of its own, and the device has the first word', () => {
  expect(detailText(row, now)).toBe('等待设备确认')
  expect(detailText({ ...row, status: 402, detail: '存储空间不足' }, now)).toBe('存储空间不足')
  expect(detailText({ ...row, status: 402, attempts: 3 }, now)).toBe('设备没有说明原因 · 第 3 次推送')
})

test('a success says how long it took', () => {
  expect(detailText({ ...row, status: 501, pushedTime: 100, doneTime: 502 }, now)).toBe('升级成功 · 用时 6 分 42 秒')
  expect(detailText({ ...row, status: 501, pushedTime: 0, doneTime: 502 }, now)).toBe('升级成功')
})

test('a device on probation says how long it must stay, until the time is over', () => {
  const until = now / 1000 + 660
  expect(detailText({ ...row, status: 401, probationUntil: until }, now)).toBe('观察中 · 还须在线 11 分钟')
  expect(detailText({ ...row, status: 401, probationUntil: until }, now + 700_000)).toBe('设备正在升级')
})
