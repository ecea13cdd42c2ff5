import { expect, test } from 'vitest'
import { pushSeconds, worstCase } from './preview-task.ts'

const stage = (percent: number, successPercent = 90, failPercent = 20) => ({ percent, successPercent, failPercent })
const three = [stage(1), stage(10), stage(100)]

const pace = { maximumPerMinute: 50, timeoutInMinutes: 60, retryCount: 0, retryInterval: 10, probationMinutes: 0 }
test.each([
  ['the first stage bounds it', { ...pace, stages: three }, 10_000, 100],
  ['one stage: what is pushed until the tenth time-out', { ...pace, stages: [stage(100)] }, 10_000, 3_010],
  ['retries make it later', { ...pace, retryCount: 1, stages: [stage(100)] }, 10_000, 6_510],
  ['a probation makes it later', { ...pace, probationMinutes: 5, stages: [stage(100)] }, 10_000, 6_260],
  [
    'a probation of each try',
    { ...pace, probationMinutes: 5, retryCount: 1, maximumPerMinute: 10, stages: [stage(100)] },
    10_000,
    2_610,
  ],
  ['few devices need few failures', { ...pace, stages: [stage(100)] }, 4, 4],
  ['slow pushing', { ...pace, maximumPerMinute: 1, timeoutInMinutes: 1, stages: [stage(100)] }, 10_000, 11],
  ['no stages: nothing halts it', { ...pace, stages: [] }, 500, 500],
  ['no failure threshold: the stage never succeeds', { ...pace, stages: [stage(10, 90, 0), stage(100)] }, 100, 10],
  ['no threshold at all: the next stage', { ...pace, stages: [stage(10, 0, 0), stage(50), stage(100)] }, 100, 50],
  ['no devices', { ...pace, stages: three }, 0, 0],
] as const)('worst case: %s', (_name, plan, total, worst) => {
  expect(worstCase(plan, total)).toBe(worst)
})

test.each([
  [50, 1, 0],
  [50, 51, 60],
  [60, 2, 1],
  [60_000, 10_000, 10],
])('at %d a minute %d devices take %d s', (perMinute, total, seconds) => {
  expect(pushSeconds(perMinute, total)).toBe(seconds)
})
