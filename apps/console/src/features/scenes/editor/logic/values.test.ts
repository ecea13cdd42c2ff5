import type { SceneNames } from '@ithings/contract/rules/scene-names.ts'
import type { ThingModel } from '@ithings/contract/thing-model/model.ts'
import { expect, test } from 'vitest'
import { chooseAction, chooseProperties, fitsForm } from '#blocks/model-form/command-text.ts'
import { choicesOf, dataKey, findChoice } from './model-data.ts'
import { runsScene } from './runs-scene.ts'
import { newStep, readable, stepWords } from './step-kinds.ts'
import { fitValues, termChoices, valueProblem, writeValues } from './term-values.ts'

const common = { desc: '', required: false }
const property = { ...common, isUseShadow: false, isNoRecord: false }
const model: ThingModel = {
  properties: [
    { ...property, identifier: 'temp', name: '温度', mode: 'r', define: { type: 'float', min: '0', max: '150' } },
    {
      ...property,
      identifier: 'on',
      name: '电源',
      mode: 'rw',
      define: { type: 'bool', mapping: { 0: '关', 1: '开' } },
    },
    {
      ...property,
      identifier: 'phase',
      name: '电流',
      mode: 'r',
      define: { type: 'struct', specs: [{ identifier: 'ia', name: 'A 相', dataType: { type: 'float' } }] },
    },
  ],
  events: [
    {
      ...common,
      identifier: 'fault',
      name: '故障',
      type: 'fault',
      params: [{ identifier: 'code', name: '码', define: { type: 'int' } }],
    },
  ],
  actions: [
    {
      ...common,
      identifier: 'stop',
      name: '停泵',
      dir: 'down',
      input: [{ identifier: 'soft', name: '软', define: { type: 'bool' } }],
      output: [],
    },
    { ...common, identifier: 'ask', name: '请求', dir: 'up', input: [], output: [] },
  ],
}

test('members stand for their struct, parameters beside their event', () => {
  expect(choicesOf(model, 'property').map(({ dataID }) => dataKey(dataID))).toEqual(['temp', 'on', 'phase.ia'])
  expect(choicesOf(model, 'event').map(({ dataID }) => dataKey(dataID))).toEqual(['fault', 'fault.code'])
  expect(findChoice(model, 'property', ['phase', 'ia'])?.name).toBe('电流 / A 相')
  expect(findChoice(undefined, 'property', ['temp'])).toBeUndefined()
})

test('a plain text stays a text as long as one value suffices', () => {
  expect(writeValues('30', ['31'])).toBe('31')
  expect(writeValues(['30'], ['31'])).toEqual(['31'])
  expect(fitValues('30', 'btw')).toEqual(['30', ''])
  expect(fitValues(['1', '2'], 'gt')).toEqual(['1'])
  expect(fitValues(null, 'eq')).toEqual([''])
})

test('operators by type, and the one that is there although it makes no sense', () => {
  expect(termChoices({ type: 'bool' }, 'eq')).toEqual(['eq', 'not'])
  expect(termChoices({ type: 'bool' }, 'gt')).toEqual(['eq', 'not', 'gt'])
  expect(termChoices(undefined, null)).toHaveLength(8)
})

test('comparisons that are never true say why', () => {
  const temp = { type: 'float', min: '0', max: '150', unit: '℃' } as const
  expect(valueProblem(temp, 'gt', ['80'])).toBeUndefined()
  expect(valueProblem(temp, 'gt', [''])).toBe('请填写比较值')
  expect(valueProblem(temp, 'btw', ['9', '1'])).toBe('起始值大于结束值')
  expect(valueProblem({ type: 'enum', mapping: { 0: '停' } }, 'eq', '4')).toBe('物模型没有取值 4')
  expect(valueProblem({ type: 'string', max: '8' }, 'gt', 'a')).toBe('这个类型的属性不支持此比较')
})

test('the form shows an output only when it can show all of it', () => {
  expect(fitsForm(model, 'propertyControl', '', '{"on":true}')).toBe(true)
  expect(fitsForm(model, 'propertyControl', '', '{"temp":1}')).toBe(false)
  expect(fitsForm(model, 'propertyControl', '', '{')).toBe(false)
  expect(fitsForm(model, 'action', 'stop', '{"soft":true}')).toBe(true)
  expect(fitsForm(model, 'action', 'gone', '{"soft":true}')).toBe(false)
  expect(fitsForm(undefined, 'action', 'stop', '{}')).toBe(false)
})

test('chosen properties keep their values, new ones start from their default', () => {
  expect(JSON.parse(chooseProperties(model, '{"on":true}', ['on'], 0))).toEqual({ on: true })
  expect(JSON.parse(chooseProperties(model, '{}', ['on', 'temp'], 0))).toEqual({ on: false })
  expect(JSON.parse(chooseAction(model, 'stop', 0))).toEqual({ soft: false })
  expect(chooseAction(model, 'ask', 0)).toBe('{}')
})

test('a scene that starts this one is no choice', () => {
  const then = JSON.stringify([{ executor: 'scene', scene: { sceneID: 7 } }])
  expect(runsScene(then, 7)).toBe(true)
  expect(runsScene(then, 8)).toBe(false)
  expect(runsScene('{broken', 7)).toBe(false)
})

const none = () => undefined
const names: SceneNames = {
  product: none,
  property: none,
  event: none,
  action: (_, id) => (id === 'stop' ? '停泵' : undefined),
  device: none,
  group: none,
  channel: none,
  scene: none,
  alarms: [],
}

test('a step says in one line what it does and to whom', () => {
  const step = newStep('device', { productID: 'p1', byDevice: true }).part
  const action = {
    ...step,
    device: step.device && { ...step.device, type: 'action' as const, dataID: 'stop', value: '{"soft":true}' },
  }
  expect(stepWords(action, names)).toMatchObject({
    title: '停泵',
    summary: '行为调用 · 触发设备',
    code: 'stop({"soft":true})',
  })
  expect(stepWords(newStep('delay', { productID: '', byDevice: false }).part, names).title).toBe('延时 10 秒')
  expect(stepWords(newStep('scene', { productID: '', byDevice: false }).part, names).summary).toBe('未选场景')
  expect(stepWords(newStep('notify', { productID: '', byDevice: false }).part, names).summary).toBe('未选通知渠道')
  expect(stepWords(newStep('trigger', { productID: '', byDevice: false }).part, names).summary).toBe('还没有关联告警')
})

test('JSON that is being typed does not stop the sentence', () => {
  const step = newStep('device', { productID: 'p1', byDevice: true }).part
  const typed = { ...step, device: step.device && { ...step.device, value: '{"a":' } }
  expect(readable(typed).device?.value).toBe('{}')
  expect(readable(step)).toBe(step)
})
