import { type OtaTask, otaTaskBody } from '@ithings/contract/features/ota/task.ts'
import { expect, test } from 'vitest'
import { bodyOf, copyOf, emptyDraft, problemsOf, stepProblems, type TaskDraft } from './task-draft.ts'

const now = Date.UTC(2026, 10, 15, 6)
const minute = 60_000
const hour = 60 * minute
const draft = (patch: Partial<TaskDraft> = {}): TaskDraft => ({ ...emptyDraft, firmwareID: 7, ...patch })

test('a new draft with a package chosen is complete: all devices, in stages, at once', () => {
  expect(problemsOf(draft(), now)).toEqual({})
  const body = otaTaskBody.parse(bodyOf(draft()))
  expect(body).toMatchObject({ type: 1, upgradeType: 1, scheduleTime: 0, scheduleFinishTime: 0, isOverwriteMode: 2 })
  expect(body.stages.map(({ percent }) => percent)).toEqual([1, 10, 100])
})

test('names left over from another choice are not sent', () => {
  const kept = draft({ deviceList: ['a'], groupID: '3', by: 'group' })
  expect(bodyOf(kept)).toMatchObject({ deviceList: [] })
  expect(bodyOf(kept)).not.toHaveProperty('groupID')
  expect(bodyOf({ ...kept, type: 2 })).toMatchObject({ deviceList: [], groupID: '3' })
  const named = bodyOf({ ...kept, type: 2, by: 'devices' })
  expect(named).toMatchObject({ deviceList: ['a'] })
  expect(named).not.toHaveProperty('groupID')
})

test('a filter goes instead of names, and only where devices are named', () => {
  const filtered = draft({ deviceList: ['a'], filter: { productID: 'p', status: 1 }, type: 2 })
  expect(bodyOf(filtered)).toMatchObject({ deviceList: [], filter: { productID: 'p', status: 1 } })
  expect(problemsOf(filtered, now)).toEqual({})
  for (const other of [{ type: 1 as const }, { by: 'group' as const, groupID: '3' }]) {
    expect(bodyOf({ ...filtered, ...other })).not.toHaveProperty('filter')
  }
})

test('part of the devices needs devices or a group', () => {
  expect(problemsOf(draft({ type: 2 }), now)).toEqual({ deviceList: '请选择设备或分组' })
  expect(problemsOf(draft({ type: 2, by: 'group', groupID: '3' }), now)).toEqual({})
})

test('a dynamic task takes all devices and names the versions, never the target', () => {
  const dynamic = draft({ upgradeType: 2 })
  expect(problemsOf(dynamic, now)).toHaveProperty('versionList', '动态升级须选择待升级版本')
  expect(problemsOf({ ...dynamic, versionList: ['1.0.0'] }, now)).toEqual({})
  expect(problemsOf({ ...dynamic, versionList: ['1.0.0', '2.0.0'] }, now, '2.0.0')).toHaveProperty(
    'versionList',
    '不能包含目标版本 2.0.0',
  )
  expect(problemsOf({ ...dynamic, type: 2, deviceList: ['a'], versionList: ['1.0.0'] }, now)).toHaveProperty('type')
})

test('screens.md 22: the start is 5 minutes to 7 days ahead, the end an hour to 30 days after it', () => {
  expect(problemsOf(draft({ start: now + 4 * minute }), now)).toHaveProperty('start')
  expect(problemsOf(draft({ start: now + 8 * 24 * hour }), now)).toHaveProperty('start')
  expect(problemsOf(draft({ start: now + 6 * minute, finish: now + 30 * minute }), now)).toHaveProperty('finish')
  expect(problemsOf(draft({ finish: now + 31 * 24 * hour }), now)).toHaveProperty('finish')
  expect(problemsOf(draft({ start: now + hour, finish: now + 3 * hour }), now)).toEqual({})
  expect(bodyOf(draft({ start: now + hour }))).toMatchObject({ scheduleTime: (now + hour) / 1000 })
})

test('stages rise and end with 100, else the step of the plan says so', () => {
  const stages = [
    { percent: 10, successPercent: 90, failPercent: 20 },
    { percent: 5, successPercent: 90, failPercent: 20 },
  ]
  const problems = problemsOf(draft({ stages }), now)
  expect(stepProblems(problems, 2)).toEqual(['阶段比例须递增并以 100 结束'])
  expect(stepProblems(problems, 0)).toEqual([])
})

test('an emptied number is a problem of its own field', () => {
  const problems = problemsOf(draft({ maximumPerMinute: null, timeoutInMinutes: 20_000 }), now)
  expect(problems.maximumPerMinute).toMatch(/推送速率/)
  expect(problems.timeoutInMinutes).toMatch(/单设备超时/)
})

test('a copy has the same targets and pace, but begins at once', () => {
  const task = {
    productID: 'p',
    firmwareID: 7,
    type: 2,
    upgradeType: 1,
    srcDevice: '["a","b"]',
    srcVersion: '["1.0.0"]',
    groupID: '',
    source: 2,
    maximumPerMinute: 20,
    timeoutInMinutes: 30,
    retryCount: 2,
    retryInterval: 5,
    isOverwriteMode: 1,
    probationMinutes: 10,
    note: '夜间',
    scheduleTime: 1_700_000_000,
    stages: [
      {
        percent: 100,
        successPercent: 90,
        failPercent: 5,
        devices: 2,
        success: 1,
        failed: 1,
        counts: {},
        startedTime: 1,
      },
    ],
  } as OtaTask
  const copied = copyOf(task)
  expect(bodyOf(copied)).toMatchObject({
    deviceList: ['a', 'b'],
    versionList: ['1.0.0'],
    source: 2,
    scheduleTime: 0,
    isOverwriteMode: 1,
    stages: [{ percent: 100, successPercent: 90, failPercent: 5 }],
    probationMinutes: 10,
  })
  expect(problemsOf(copied, now)).toEqual({})
  const grouped = bodyOf(copyOf({ ...task, srcDevice: '[]', groupID: '12' }))
  expect(grouped).toMatchObject({ deviceList: [], groupID: '12' })
})
