import type { LoggedAction, SceneLog } from '@ithings/contract/features/scenes/log.ts'
import { expect, test } from 'vitest'
import { devicesText, resultLook, runSummary, startedBy, tookText } from './run-words.ts'

const action = (patch: Partial<LoggedAction> = {}): LoggedAction => ({
  text: '停泵',
  executor: 'device',
  ok: true,
  code: 200,
  msg: '',
  startTime: 1,
  endTime: 2,
  devices: [],
  ...patch,
})
const failed = action({ ok: false, code: 100009 })

test('a run is told by how its actions ended', () => {
  expect(runSummary({ result: 3, reason: '', actions: [action(), action()] })).toBe('2 个动作成功')
  expect(runSummary({ result: 4, reason: '', actions: [action(), failed] })).toBe('1 成功，1 失败')
  expect(runSummary({ result: 5, reason: '服务中断', actions: [failed] })).toBe('0 成功，1 失败，服务中断')
  expect(runSummary({ result: 3, reason: '', actions: [] })).toBe('没有动作')
})

test('a run that is not over says so and does not count the step in flight', () => {
  expect(runSummary({ result: 2, reason: '', actions: [action(), action({ ok: false, code: 0 })] })).toBe(
    '1 个动作成功，延时等待',
  )
  expect(runSummary({ result: 1, reason: '', actions: [] })).toBe('执行中')
})

test('a near miss says why', () => {
  expect(runSummary({ result: 6, reason: '出口压力不满足', actions: [] })).toBe('未触发，因为出口压力不满足')
  expect(runSummary({ result: 6, reason: '60 秒内第 2 次', actions: [] })).toBe('未触发，因为 60 秒内第 2 次')
  expect(runSummary({ result: 6, reason: '', actions: [] })).toBe('未触发')
})

test('a result that this console does not know is shown, not thrown at', () => {
  expect(resultLook(9).text).toBe('未知（9）')
})

test('what started it is the device, else the person, else the kind of trigger', () => {
  const log = { triggerType: 'manual', deviceName: '', userName: '陈立群' } as SceneLog
  expect(startedBy(log)).toBe('陈立群')
  expect(startedBy({ ...log, userName: '', triggerType: 'timer' })).toBe('定时触发')
  expect(startedBy({ ...log, deviceName: 'P02' })).toBe('P02')
})

test.each([
  [-3, '0 ms'],
  [38.4, '38 ms'],
  [1234, '1.2 秒'],
  [10_000, '10 秒'],
  [605_000, '10 分钟 5 秒'],
  [7_200_000, '2 小时'],
  [5_400_000, '1 小时 30 分钟'],
])('%d ms are "%s"', (ms, wanted) => {
  expect(tookText(ms)).toBe(wanted)
})

test('devices are counted from two on; those still waiting are no failure', () => {
  const device = (code: number) => ({ productID: 'p', deviceName: 'd', code, clientToken: '' })
  expect(devicesText({ devices: [device(200)] })).toBe('')
  expect(devicesText({ devices: [device(200), device(0)] })).toBe('2 台设备')
  expect(devicesText({ devices: [device(200), device(100009)] })).toBe('2 台设备，1 台失败')
})
