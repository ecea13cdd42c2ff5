import { expect, test } from 'vitest'
import { parseTimeChoice } from '#kit/time-choice.ts'
import {
  alarmPath,
  attentionPath,
  dayAlarmsPath,
  deviceAlarmsPath,
  devicesPath,
  openAlarmsPath,
  runPath,
  runsPath,
} from './paths.ts'

const device = { productID: 'PumpStation', deviceName: 'PS:01' }

test('totals lead to the device list, filtered by what they count', () => {
  expect(devicesPath()).toBe('/deviceMangers/device/index')
  expect(devicesPath({ state: 'online' })).toBe('/deviceMangers/device/index?status=1')
  expect(devicesPath({ state: 'inactive' })).toBe('/deviceMangers/device/index?status=3')
  expect(devicesPath({ deviceType: 2 })).toBe('/deviceMangers/device/index?deviceType=2')
  expect(devicesPath({ productID: 'A b' })).toBe('/deviceMangers/device/index?productID=A+b')
})

test('alarm figures lead to the queue', () => {
  const queue = '/alarmMangers/alarmConfiguration/log'
  expect(openAlarmsPath()).toBe(queue)
  expect(openAlarmsPath(5)).toBe(`${queue}?levels=5`)
  expect(alarmPath(7)).toBe(`${queue}?record=7`)
  expect(deviceAlarmsPath(device)).toBe(`${queue}?productID=PumpStation&deviceName=PS%3A01`)
})

test('a bar of the seven days leads to that whole day of the server, that of today to all since midnight', () => {
  // Of a server in another zone than the viewer.
  const day = { start: Date.parse('2026-11-13T00:00:00+05:45'), end: Date.parse('2026-11-14T00:00:00+05:45') }
  const choiceOf = (path: string) => parseTimeChoice(new URL(path, 'http://localhost').searchParams.get('time') ?? '')
  expect(choiceOf(dayAlarmsPath(day, false))).toEqual({ timeStart: String(day.start), timeEnd: String(day.end - 1) })
  expect(choiceOf(dayAlarmsPath(day, true))).toEqual({ timeStart: String(day.start), timeEnd: '0' })
})

test('a run leads to its own page', () => {
  expect(runPath({ kind: 'ota', id: '3', productID: 'p' })).toBe(
    '/operationsMonitorings/firmwareUpgrade/index?taskID=3',
  )
  expect(runPath({ kind: 'task', id: '4', productID: 'p' })).toBe('/deviceMangers/createDeviceTask/index?taskID=4')
  expect(runPath({ kind: 'config', id: '9', productID: 'p' })).toBe(
    '/operationsMonitorings/remoteConfiguration/index?productID=p&tab=pushes&run=9',
  )
})

test('what runs of a kind leads to its list, pushes of one product to those of that product', () => {
  const run = { kind: 'config', productID: 'p', id: '9', taskUid: '', name: '', stage: 0, stages: 0 } as const
  const numbers = { total: 1, success: 0, failed: 0, sent: 0, away: 0, perMinute: 1, paused: false, secondsLeft: 0 }
  const push = { ...run, ...numbers }
  const running = { ota: 1, task: 1, config: 1, list: [push] }
  expect(runsPath('ota', running)).toBe('/operationsMonitorings/firmwareUpgrade/index?status=2')
  expect(runsPath('task', running)).toBe('/deviceMangers/createDeviceTask/index?status=2')
  const configs = '/operationsMonitorings/remoteConfiguration/index'
  expect(runsPath('config', running)).toBe(`${configs}?productID=p&tab=pushes`)
  expect(runsPath('config', { ...running, config: 2, list: [push, { ...push, productID: 'q' }] })).toBe(configs)
  expect(runsPath('config', { ...running, config: 7 })).toBe(configs)
})

test('a device that needs attention leads to where something can be done', () => {
  expect(attentionPath({ kind: 'offline', ...device, taskUid: '' })).toBe(
    '/deviceMangers/device/detail/PumpStation/PS%3A01/1',
  )
  expect(attentionPath({ kind: 'upgrade', ...device, taskUid: 'u-1' })).toBe(
    '/operationsMonitorings/firmwareUpgrade/index?taskUid=u-1',
  )
  expect(attentionPath({ kind: 'config', ...device, taskUid: '' })).toContain('tab=devices')
})
