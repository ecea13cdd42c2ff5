import { TaskSchedule } from '@ithings/contract/features/tasks.ts'
import { expect, test } from 'vitest'
import { nextTime, type Timing } from './next-time.ts'

const timing = (fields: Partial<Timing>): Timing => ({
  scheduleType: TaskSchedule.cron,
  runAt: null,
  cron: '0 0 * * * *',
  validStart: 0,
  validEnd: 0,
  ...fields,
})
const at = (text: string) => new Date(text).getTime()
const seconds = (text: string) => at(text) / 1000

test('now has no next time', () => {
  expect(nextTime(timing({ scheduleType: TaskSchedule.now }), 0)).toBeNull()
})

test('once is its moment, also when that is over: then it runs late', () => {
  const once = timing({ scheduleType: TaskSchedule.once, runAt: 1_800_000_000 })
  expect(nextTime(once, 0)).toBe(1_800_000_000_000)
  expect(nextTime(once, 1_900_000_000_000)).toBe(1_800_000_000_000)
})

test('a cron comes after the moment given', () => {
  expect(nextTime(timing({}), at('2027-01-01T10:00:00'))).toBe(at('2027-01-01T11:00:00'))
  expect(nextTime(timing({}), at('2027-01-01T10:59:59.999'))).toBe(at('2027-01-01T11:00:00'))
})

test('a cron begins with its validity and ends with it, both included', () => {
  const valid = timing({ validStart: seconds('2027-01-01T12:00:00'), validEnd: seconds('2027-01-01T14:00:00') })
  expect(nextTime(valid, at('2027-01-01T00:00:00'))).toBe(at('2027-01-01T12:00:00'))
  expect(nextTime(valid, at('2027-01-01T13:00:00'))).toBe(at('2027-01-01T14:00:00'))
  expect(nextTime(valid, at('2027-01-01T14:00:00'))).toBeNull()
})
