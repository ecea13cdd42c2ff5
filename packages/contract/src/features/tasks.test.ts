import { expect, test } from 'vitest'
import { DeployStatus, deployStatusLabels, nextDeployStatus, taskBody } from './tasks.ts'

/** screens.md 7.3: every pair, the illegal ones too. */
const legal: Record<string, number> = {
  '1 send': 2,
  '1 fail': 4,
  '1 cancel': 4,
  '2 ok': 3,
  '2 fail': 4,
  '2 cancel': 4,
  // Failed, but there are tries left.
  '2 again': 1,
  '4 retry': 1,
}
const events = ['send', 'ok', 'fail', 'cancel', 'again', 'retry'] as const
const pairs = Object.values(DeployStatus).flatMap((status) => events.map((event) => [status, event] as const))

test.each(pairs)('%d on %s', (status, event) => {
  expect(nextDeployStatus(status, event)).toBe(legal[`${status} ${event}`])
})

test('every status has its label (spec 4)', () => {
  expect(deployStatusLabels).toEqual({ 1: '待部署', 2: '部署中', 3: '部署成功', 4: '部署失败' })
})

const task = {
  taskName: ' 开灯 ',
  taskType: 1,
  productID: '254pwnKQsvK',
  targetType: 1,
  deviceNames: ['a'],
  data: '{"power":1}',
  scheduleType: '1',
}

test('defaults are those of screens.md 7.1', () => {
  expect(taskBody.parse(task)).toMatchObject({
    taskName: '开灯',
    scheduleType: 1,
    shadowControl: 0,
    timeout: 30,
    retryCount: 0,
    retryInterval: 60,
    rate: 600,
    failStop: 0,
    onlineOnly: false,
    includeChildren: true,
  })
})

test.each([
  ['a name of 65 characters', { taskName: 'x'.repeat(65) }],
  ['20,001 devices', { deviceNames: Array.from({ length: 20_001 }, (_, i) => `d${i}`) }],
  ['a retry too many', { retryCount: 6 }],
  ['a rate beyond 6,000', { rate: 6_001 }],
  ['more than all failures', { failStop: 101 }],
  ['a cron of five fields', { scheduleType: 3, cron: '0 0 1 1 *' }],
  ['once without its time', { scheduleType: 2 }],
  ['a group without its number', { targetType: 3 }],
  ['an action without its name', { taskType: 2 }],
])('%s is refused', (_, fields) => {
  expect(taskBody.safeParse({ ...task, ...fields }).success).toBe(false)
})
