import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { expect, test } from 'vitest'
import { checkDraft, faultAt } from './check-draft.ts'
import { groupItem } from './condition-tree.ts'
import { countChanges } from './count-changes.ts'
import { type ConditionItem, draftOf, emptyDraft, emptyTrigger, type SceneDraft } from './draft.ts'
import { judgeDraft } from './judge-draft.ts'
import { alarmDraft, newStep } from './step-kinds.ts'
import { trialBlock, trialKey } from './trial.ts'

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
  actions: [
    {
      ...common,
      identifier: 'open',
      name: '开阀',
      dir: 'down',
      input: [{ identifier: 'angle', name: '角度', define: { type: 'int', min: '0', max: '90' } }],
      output: [],
    },
    { ...common, identifier: 'ask', name: '询问', dir: 'up', input: [], output: [] },
  ],
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

/** As the history begins one, with a name. */
const complete = (): SceneDraft => ({ ...alarmDraft({ productID: 'p1', dataID: 'temp', value: '80' }), name: '水泵' })

test('a complete scene has no fault, no refusal and no warning', () => {
  expect(checkDraft(complete())).toEqual([])
  expect(judgeDraft(complete(), models)).toEqual({ refusals: [], warnings: [] })
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

test('empty fields ask and wrong ones state, whatever the language says', () => {
  const draft = { ...complete(), triggers: [emptyTrigger()], conditions: [condition('abc'), condition([''])] }
  expect(checkDraft(draft).map(({ asks }) => asks)).toContain(true)
  const asked = refusals(draft).flatMap(({ field, asks }) => (field.endsWith('values') ? [asks ?? false] : []))
  expect(asked).toEqual([false, true])
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

const textsIn = (list: readonly { text: string }[]) => list.map(({ text }) => text)
const refusals = (draft: SceneDraft, saved?: SceneDraft) => judgeDraft(draft, models, saved).refusals

test('what the platform would refuse is no mere warning', () => {
  const gone = condition(['1'], ['gone'])
  const text = condition('abc')
  const empty = condition([''])
  const draft = { ...complete(), conditions: [gone, groupItem([text, empty], 'and')] }
  expect(checkDraft(draft)).toEqual([])
  const found = refusals(draft)
  expect(faultAt(found, gone.key, 'columnSchema.dataID')).toBe('物模型里没有 gone')
  expect(faultAt(found, text.key, 'columnSchema.values')).toBe('「abc」不是有效的值')
  expect(faultAt(found, empty.key, 'columnSchema.values')).toBe('请填写比较值')
  expect(judgeDraft(draft, models).warnings).toEqual([])
})

test('what the platform takes, though it is never true, is a warning', () => {
  const event: ConditionItem = { key: 'e', part: { columnType: 'event', netCondition: 'and' }, terms: [] }
  const draft = { ...complete(), conditions: [condition(['200']), event] }
  expect(judgeDraft(draft, models)).toMatchObject({
    refusals: [],
    warnings: [{ text: expect.stringContaining('0–150') }, { text: '事件条件不受支持，永远不成立' }],
  })
})

test('a model that is not there yet says nothing', () => {
  expect(judgeDraft({ ...complete(), conditions: [condition([''])] }, new Map())).toEqual({
    refusals: [],
    warnings: [],
  })
})

test('a trigger that waits for a value needs one, and one that waits for silence a property that exists', () => {
  const [item] = complete().triggers
  const { part, key } = item ?? emptyTrigger('p1')
  const withTrigger = (more: Partial<typeof part>) =>
    textsIn(refusals({ ...complete(), triggers: [{ key, part: { ...part, ...more } }] }))
  expect(withTrigger({ operationSchema: { dataID: ['temp'], termType: 'gt', values: [''] } })).toEqual(['请填写比较值'])
  expect(withTrigger({ operator: 'noReport', operationSchema: { dataID: ['gone'], minutes: 10 } })).toEqual([
    '物模型里没有 gone',
  ])
  expect(withTrigger({ operator: 'noReport', operationSchema: { dataID: ['temp'], minutes: 10 } })).toEqual([])
  expect(withTrigger({ operator: 'reportEvent', operationSchema: { dataID: ['gone'] } })).toEqual(['物模型里没有 gone'])
})

test('a range of times that cannot be read is refused at its condition', () => {
  const time = (cron: string): ConditionItem => ({
    key: `t${cron}`,
    part: { columnType: 'sysTime', columnTime: { type: 'cron', cron }, netCondition: 'and' },
    terms: [],
  })
  const draft = { ...complete(), conditions: [time('* 0-30 9 * * ?'), time('every morning')] }
  expect(checkDraft(draft)).toEqual([])
  expect(refusals(draft).map(({ key }) => key)).toEqual(['tevery morning'])
})

test('a scene without a triggering device says so where one is meant', () => {
  const text = '这个场景没有触发设备，请指定设备'
  const draft = { ...complete(), conditions: [condition(['1'])] }
  // A manual scene may be run by one that has such a device.
  const manual = judgeDraft({ ...draft, triggerType: 'manual' }, models)
  expect([textsIn(manual.refusals), textsIn(manual.warnings)]).toEqual([[], [text]])
  expect(textsIn(refusals({ ...draft, triggerType: 'timer' }))).toEqual([text])
  const step = newStep('device', { productID: 'p2', byDevice: true })
  expect(textsIn(refusals({ ...draft, actions: [step] }))).toEqual(['触发设备不属于这个产品，请指定设备'])
})

test('without actions a scene is saved only when it is off', () => {
  const draft = { ...complete(), actions: [] }
  expect(textsIn(refusals(draft))).toEqual(['没有动作的场景不能启用，请先添加动作，或先禁用它'])
  expect(judgeDraft({ ...draft, status: 2 }, models)).toMatchObject({ refusals: [], warnings: [{ key: 'action' }] })
})

test('a saved scene is switched off whatever is gone, but not changed', () => {
  const saved = { ...complete(), conditions: [condition(['1'], ['gone'])] }
  expect(refusals({ ...saved, desc: 'x' }, saved)).toHaveLength(1)
  const off = judgeDraft({ ...saved, name: '旧', status: 2 }, models, saved)
  expect([off.refusals, textsIn(off.warnings)]).toEqual([[], ['物模型里没有 gone']])
  expect(refusals({ ...saved, status: 2, actions: [...saved.actions, ...saved.actions] }, saved)).toHaveLength(1)
})

test('outputs are judged by the model: unknown and read-only properties, values', () => {
  const step = newStep('device', { productID: 'p1', byDevice: true })
  const withOutput = (more: Partial<NonNullable<typeof step.part.device>>) => {
    const { device } = step.part
    const part = { ...step.part, device: device && { ...device, ...more } }
    return textsIn(refusals({ ...complete(), actions: [{ ...step, part }] }))
  }
  expect(withOutput({ value: '{}' })).toEqual(['还没有要设置的属性'])
  expect(withOutput({ value: '{"power":true}' })).toEqual([])
  expect(withOutput({ value: '{"temp":1}' })).toEqual(['温度 是只读属性，不能下发'])
  expect(withOutput({ value: '{"x":1}' })).toEqual(['物模型里没有属性 x'])
  expect(withOutput({ value: '{"power":5}' })).toHaveLength(1)
  const call = (dataID: string, value: string) => withOutput({ type: 'action', dataID, value })
  expect(call('open', '{"angle":30}')).toEqual([])
  expect(call('open', '{}')).toHaveLength(1)
  expect(call('ask', '{}')).toEqual(['询问 由设备调用，不能下发'])
  expect(call('gone', '{}')).toEqual(['物模型里没有行为 gone'])
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

test('a trial asks for the value that is missing by its place; an action that is refused is no part of it', () => {
  const found = (draft: SceneDraft) => ({ faults: checkDraft(draft), refusals: judgeDraft(draft, models).refusals })
  const empty = alarmDraft({ productID: 'p1', dataID: 'temp', value: '' })
  expect(trialBlock(found({ ...empty, name: '水泵' }), '回测')).toBe('触发 1：请填写比较值。补全后才能回测')
  expect(trialBlock(found(empty), '试运行')).toBe('名称：请填写名称，等 2 处。补全后才能试运行')
  const blank = condition([''])
  expect(trialBlock(found({ ...complete(), conditions: [blank] }), '回测')).toContain('条件：请填写比较值')
  expect(trialBlock(found({ ...complete(), actions: [] }), '回测')).toBeUndefined()
})

test('a result is about one rule, whatever its name', () => {
  const draft = complete()
  const tried = trialKey(draft)
  expect(trialKey({ ...draft, name: '另一个' })).toBe(tried)
  expect(trialKey({ ...draft, conditions: [condition('1')] })).not.toBe(tried)
})
