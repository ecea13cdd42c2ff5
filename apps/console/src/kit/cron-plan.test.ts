import { checkCron } from '@ithings/contract/cron.ts'
import { expect, test } from 'vitest'
import { type CronPlan, firstPlan, readPlan, writePlan } from './cron-plan.ts'

const plans: [CronPlan, string][] = [
  [{ kind: 'every', count: 10, unit: 'second' }, '*/10 * * * * *'],
  [{ kind: 'every', count: 1, unit: 'second' }, '* * * * * *'],
  [{ kind: 'every', count: 1, unit: 'minute' }, '0 * * * * *'],
  [{ kind: 'every', count: 5, unit: 'minute' }, '0 */5 * * * *'],
  [{ kind: 'every', count: 2, unit: 'hour' }, '0 0 */2 * * *'],
  [{ kind: 'every', count: 1, unit: 'hour' }, '0 0 * * * *'],
  [{ kind: 'daily', time: '08:30:05' }, '5 30 8 * * *'],
  [{ kind: 'weekly', days: [1, 3, 7], time: '00:00:00' }, '0 0 0 * * 1,3,7'],
  [{ kind: 'monthly', days: [1, 15], time: '23:59:59' }, '59 59 23 1,15 * *'],
]

test.each(plans)('%j is written as %s and read back', (plan, expression) => {
  expect(writePlan(plan)).toBe(expression)
  expect(readPlan(expression)).toEqual(plan)
})

test('every plan the builder can start with is a valid expression', () => {
  for (const plan of Object.values(firstPlan)) expect(checkCron(writePlan(plan)).ok).toBe(true)
})

test('a blank day and Sunday as 0 are understood', () => {
  expect(readPlan('0 0 8 ? * 1')).toEqual({ kind: 'weekly', days: [1], time: '08:00:00' })
  expect(readPlan('0 0 8 * * 0')).toEqual({ kind: 'weekly', days: [7], time: '08:00:00' })
})

test.each(['0 0 8 * JAN *', '0 0 8 1 * 1', '0 0-5 8 * * *', '0 0 8 L * *', '* * * * *', '', '0 0 8 * * MON'])(
  '%s has no simple shape',
  (expression) => {
    expect(readPlan(expression)).toBeUndefined()
  },
)
