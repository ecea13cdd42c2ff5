import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { expect, test } from 'vitest'
import { checkDraft, faultsOfStep, firstFaultyStep, stepOfField } from './check-draft.ts'
import {
  bodyOf,
  copyOf,
  draftOf,
  emptyDraft,
  isDangerous,
  reached,
  type TaskDetail,
  type TaskDraft,
  targetOf,
  whyTyped,
  withProduct,
} from './task-draft.ts'

const common = { desc: '', required: false }
const model: ThingModel = {
  properties: [
    {
      ...common,
      isUseShadow: false,
      isNoRecord: false,
      identifier: 'freq',
      name: '频率',
      mode: 'rw',
      define: { type: 'float', min: '0', max: '50', step: '0.5' },
    },
    {
      ...common,
      isUseShadow: false,
      isNoRecord: false,
      identifier: 'level',
      name: '液位',
      mode: 'r',
      define: { type: 'float', min: '0', max: '6' },
    },
  ],
  events: [],
  actions: [
    {
      ...common,
      identifier: 'flush',
      name: '反冲洗',
      dir: 'down',
      input: [{ identifier: 'seconds', name: '时长', define: { type: 'int', min: '1', max: '600' } }],
      output: [],
    },
  ],
}
const now = Date.UTC(2026, 10, 15)
const good: TaskDraft = {
  ...emptyDraft,
  taskName: '夜间降频',
  productID: 'pump0000001',
  deviceNames: ['p-1'],
  data: '{"freq":30}',
}
const faults = (patch: Partial<TaskDraft>) => Object.fromEntries(checkDraft({ ...good, ...patch }, model, now))

test('a whole draft has no faults, an empty one names them step by step', () => {
  expect(faults({})).toEqual({})
  const found = checkDraft(emptyDraft, undefined, now)
  expect(firstFaultyStep(found)).toBe(0)
  expect(Object.fromEntries(faultsOfStep(found, 0))).toEqual({ taskName: '任务名称不能为空', productID: '请选择产品' })
})

test('the target is asked for as the contract asks (screens.md 7.1)', () => {
  expect(faults({ deviceNames: [] })).toEqual({ deviceNames: '请选择设备' })
  expect(faults({ targetType: 3 })).toEqual({ groupID: '请选择分组' })
  expect(faults({ targetType: 2, deviceNames: [] })).toEqual({})
})

test('properties are judged by the model: writable, within limits, on the step', () => {
  expect(faults({ data: '{}' })).toEqual({ data: '至少选择一个属性' })
  expect(faults({ data: '{"level":1}' })).toEqual({ data: '「level」不是可写的属性' })
  expect(faults({ data: '{"freq":51}' }).data).toContain('50')
  expect(faults({ data: '{"freq":30.2}' }).data).toContain('频率')
  expect(faults({ data: '[1]' })).toEqual({ data: '必须是 JSON 对象' })
})

test('an action needs its input, a configuration its version', () => {
  expect(faults({ taskType: 2 })).toEqual({ actionID: '请选择行为' })
  expect(faults({ taskType: 2, actionID: 'gone' })).toEqual({ actionID: '物模型里没有行为「gone」' })
  expect(faults({ taskType: 2, actionID: 'flush' })).toEqual({ inputParams: '时长不能为空' })
  expect(faults({ taskType: 2, actionID: 'flush', inputParams: '{"seconds":5}' })).toEqual({})
  expect(faults({ taskType: 3 })).toEqual({ configID: '请选择配置版本' })
})

test('a moment lies a minute ahead, a cron is one, a period ends after it begins', () => {
  expect(faults({ scheduleType: 2 })).toEqual({ runAt: '请选择执行时间' })
  expect(faults({ scheduleType: 2, runAt: now / 1000 + 30 })).toEqual({ runAt: '执行时间须在 1 分钟之后' })
  expect(faults({ scheduleType: 2, runAt: now / 1000 + 90 })).toEqual({})
  expect(faults({ scheduleType: 3, cron: '0 0 2 * *' })).toEqual({ cron: '无效 Cron 表达式' })
  const cron = { scheduleType: 3, cron: '0 0 2 * * *' } as const
  expect(faults({ ...cron, validStart: now / 1000 + 200, validEnd: now / 1000 + 100 })).toHaveProperty('validEnd')
  expect(faults({ ...cron, validEnd: now / 1000 - 100 })).toEqual({ validEnd: '有效期已经过去' })
})

test('numbers keep their limits, an emptied one is asked for', () => {
  expect(faults({ timeout: 601 }).timeout).toContain('600')
  expect(faults({ rate: 0 }).rate).toContain('1')
  expect(faults({ failStop: null }).failStop).toBeDefined()
  expect([stepOfField('rate'), stepOfField('data'), stepOfField('unheard')]).toEqual([3, 2, 0])
})

test('only what counts goes out', () => {
  const body = bodyOf({ ...good, groupID: '3', actionID: 'flush', configID: 4, runAt: 5, cron: 'x' })
  expect(body).toMatchObject({ deviceNames: ['p-1'], data: '{"freq":30}' })
  for (const key of ['groupID', 'actionID', 'configID', 'runAt', 'cron']) expect(body).not.toHaveProperty(key)
})

test('another product empties what belongs to the old one', () => {
  expect(withProduct(good, 'other000001')).toMatchObject({ productID: 'other000001', deviceNames: [], data: '{}' })
})

const saved = {
  ...bodyOf(good),
  taskID: 7,
  groupID: '0',
  includeChildren: true,
  actionID: '',
  inputParams: '',
  configID: 0,
  runAt: now / 1000 - 5,
  cron: '',
  validStart: 0,
  validEnd: 0,
  scheduleType: 2,
} as unknown as TaskDetail

test('a saved task is edited as it is, a copy gets a new name and no past moment', () => {
  expect(draftOf(saved)).toEqual({ ...good, scheduleType: 2, runAt: now / 1000 - 5 })
  expect(copyOf(saved, now)).toMatchObject({ taskName: '夜间降频 副本', runAt: 0 })
  expect(copyOf({ ...saved, taskName: 'x'.repeat(64) }, now).taskName).toHaveLength(64)
})

test('the number is typed for many devices and for actions whose name warns', () => {
  expect(whyTyped(100, undefined)).toBeUndefined()
  expect(whyTyped(101, undefined)).toBe('超过 100 台设备')
  expect(whyTyped(1, { identifier: 'reboot', name: '重启' })).toContain('重启')
  expect(isDangerous({ identifier: 'flush', name: '反冲洗' })).toBe(false)
})

test('a target is looked at once it is whole; online only leaves the others out', () => {
  expect(targetOf({ ...good, deviceNames: [] })).toBeUndefined()
  expect(targetOf({ ...good, targetType: 3, groupID: '2' })).toMatchObject({ groupID: '2', includeChildren: true })
  const reach = { total: 9, online: 5, offline: 3, inactive: 1, unknown: [] }
  expect([reached(reach, false), reached(reach, true)]).toEqual([9, 5])
})
