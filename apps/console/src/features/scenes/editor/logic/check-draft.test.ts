import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { expect, test } from 'vitest'
import { newStep } from './action-list.ts'
import { checkDraft, faultAt } from './check-draft.ts'
import { groupItem } from './condition-tree.ts'
import { countChanges } from './count-changes.ts'
import { type ConditionItem, draftOf, emptyDraft, emptyTrigger, type SceneDraft } from './draft.ts'
import { warnDraft } from './warn-draft.ts'

const common = { desc: '', required: false }
const model: ThingModel = {
  properties: [
    {
      ...common,
      identifier: 'temp',
      name: '温度',
      mode: 'r',
      define: { type: 'float', min: '0', max: '150', unit: '℃' },
      isUseShadow: false,
      isNoRecord: false,
    },
    {
      ...common,
      identifier: 'power',
      name: '电源',
      mode: 'rw',
      define: { type: 'bool', mapping: { 0: '关', 1: '开' } },
      isUseShadow: false,
      isNoRecord: false,
    },
  ],
  events: [],
  actions: [],
}
const models = new Map([['p1', model]])

const condition = (values: string | string[], dataID = ['temp']): ConditionItem => ({
  key: `c${values}`,
  part: {
    columnType: 'property',
    columnSchema: { productID: 'p1', deviceName: '', dataID, termType: 'gt', values },
    netCondition: 'and',
  },
  terms: [],
})

const complete = (): SceneDraft => {
  const trigger = emptyTrigger('p1')
  trigger.part.operationSchema = { dataID: ['temp'], termType: 'gt', values: ['80'] }
  return {
    ...emptyDraft('device', '水泵'),
    triggers: [trigger],
    actions: [newStep('trigger', { productID: 'p1', byDevice: true })],
  }
}

test('a complete scene has no fault and no warning', () => {
  expect(checkDraft(complete())).toEqual([])
  expect(warnDraft(complete(), models)).toEqual([])
})

test('each fault lies at its field, in words', () => {
  const draft = { ...complete(), name: ' ', triggers: [emptyTrigger(), emptyTrigger('p1')] }
  const [first, second] = draft.triggers
  const faults = checkDraft(draft)
  expect(faults.find(({ part }) => part === 'name')?.text).toBe('请填写名称')
  expect(faultAt(faults, first?.key ?? '', 'productID')).toBe('请选择产品')
  expect(faultAt(faults, second?.key ?? '', 'operationSchema')).toBe('请选择属性')
  expect(faults.find(({ key }) => key === second?.key)?.place).toBe('触发 2')
})

test('a fault inside a group is found at its own condition', () => {
  const broken = condition(['1'], [])
  const draft = { ...complete(), conditions: [condition(['1']), groupItem([condition(['2']), broken], 'or')] }
  expect(faultAt(checkDraft(draft), broken.key, 'columnSchema.dataID')).toBe('请选择属性')
})

test('a device scene needs a trigger, a timer a valid cron', () => {
  expect(checkDraft({ ...complete(), triggers: [] })[0]?.text).toBe('至少需要一个触发')
  expect(checkDraft({ ...emptyDraft('timer', 't'), cron: '0 0' })).toHaveLength(1)
})

test('unfinished steps name what is missing', () => {
  const notify = newStep('notify', { productID: '', byDevice: true })
  const scene = newStep('scene', { productID: '', byDevice: true })
  const faults = checkDraft({ ...complete(), actions: [notify, scene] })
  expect(faultAt(faults, notify.key, 'notify')).toBe('请选择通知渠道')
  expect(faultAt(faults, scene.key, 'scene.sceneID')).toBe('请选择场景')
})

test('what the model does not have is a warning, not a refusal', () => {
  const gone = condition(['1'], ['gone'])
  const text = condition('abc')
  const draft = { ...complete(), conditions: [gone, text, condition(['200'])] }
  expect(checkDraft(draft)).toEqual([])
  const warnings = warnDraft(draft, models)
  expect(faultAt(warnings, gone.key, 'columnSchema.dataID')).toBe('物模型里没有 gone')
  expect(faultAt(warnings, text.key, 'columnSchema.values')).toBe('「abc」不是有效的值')
  expect(warnings.at(-1)?.text).toContain('0–150')
})

test('a range of times that cannot be read is a warning at its condition', () => {
  const time = (cron: string): ConditionItem => ({
    key: `t${cron}`,
    part: { columnType: 'sysTime', columnTime: { type: 'cron', cron }, netCondition: 'and' },
    terms: [],
  })
  const draft = { ...complete(), conditions: [time('* 0-30 9 * * ?'), time('every morning')] }
  expect(checkDraft(draft)).toEqual([])
  expect(warnDraft(draft, models).map(({ key }) => key)).toEqual(['tevery morning'])
})

test('a scene without a triggering device says so where one is meant', () => {
  const draft = { ...complete(), triggerType: 'manual' as const, conditions: [condition(['1'])] }
  expect(warnDraft(draft, models).map(({ text }) => text)).toEqual(['这个场景没有触发设备，请指定设备'])
})

test('outputs are judged by the model: unknown and read-only properties, values', () => {
  const step = newStep('device', { productID: 'p1', byDevice: true })
  const withValue = (value: string) => {
    const { device } = step.part
    const part = { ...step.part, device: device && { ...device, value } }
    return warnDraft({ ...complete(), actions: [{ ...step, part }] }, models).map(({ text }) => text)
  }
  expect(withValue('{}')).toEqual(['还没有要设置的属性'])
  expect(withValue('{"power":true}')).toEqual([])
  expect(withValue('{"temp":1}')).toEqual(['温度 是只读属性，不能下发'])
  expect(withValue('{"x":1}')).toEqual(['物模型里没有属性 x'])
  expect(withValue('{"power":5}')).toHaveLength(1)
})

test('changes are counted by place', () => {
  const saved = { ...complete(), conditions: [condition(['1']), condition(['2'])] }
  expect(countChanges(saved, saved)).toBe(0)
  expect(countChanges(saved, { ...saved, name: 'x', status: 2 })).toBe(2)
  expect(countChanges(saved, { ...saved, conditions: saved.conditions.slice(1) })).toBe(1)
  expect(countChanges(saved, { ...saved, conditions: saved.conditions.toReversed() })).toBe(1)
  const or = saved.conditions.map((one) => ({ ...one, part: { ...one.part, netCondition: 'or' as const } }))
  expect(countChanges(saved, { ...saved, conditions: or })).toBe(1)
  expect(
    countChanges(saved, {
      ...saved,
      actions: [...saved.actions, newStep('delay', { productID: '', byDevice: false })],
    }),
  ).toBe(1)
})

test('the same scene read twice differs in nothing but its keys', () => {
  const text = { name: 'a', desc: '', status: 1, triggerType: 'manual' as const, trigger: '', when: '[]', then: '[]' }
  expect(countChanges(draftOf(text), draftOf(text))).toBe(0)
})
