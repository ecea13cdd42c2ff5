import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ThingModel } from '../thing-model/model.ts'
import { describeScene } from './describe.ts'
import { describeAction } from './describe-action.ts'
import { describeCondition } from './describe-condition.ts'
import { describeTrigger } from './describe-trigger.ts'
import type { TriggerType } from './scene-limits.ts'
import { modelNames, type SceneNames, showValue } from './scene-names.ts'
import { parseScene } from './scene-text.ts'
import type { SentencePart } from './sentence.ts'

const common = { desc: '', required: false }
const property = { ...common, mode: 'rw', isUseShadow: false, isNoRecord: false } as const
const model: ThingModel = {
  properties: [
    { ...property, identifier: 'temp', name: '水泵温度', define: { type: 'float', unit: '℃' } },
    { ...property, identifier: 'pressure', name: '出口压力', define: { type: 'float', unit: 'MPa' } },
    { ...property, identifier: 'run', name: '运行状态', define: { type: 'enum', mapping: { 0: '停机', 1: '运行中' } } },
    { ...property, identifier: 'power', name: '开关', define: { type: 'bool', mapping: { 0: '关', 1: '开' } } },
    {
      ...property,
      identifier: 'volt',
      name: '电压',
      define: {
        type: 'struct',
        specs: [{ identifier: 'a', name: 'A 相', dataType: { type: 'int', unit: 'V' } }],
      },
    },
  ],
  events: [
    {
      ...common,
      identifier: 'overflow',
      name: '溢流报警',
      type: 'alert',
      params: [{ identifier: 'level', name: '液位', define: { type: 'float', unit: 'm' } }],
    },
  ],
  actions: [{ ...common, identifier: 'stop', name: '停泵', dir: 'down', input: [], output: [] }],
}

const known = modelNames(model)
const names: SceneNames = {
  product: (id) => (id === 'pump' ? '水泵站' : undefined),
  property: (id, dataID) => (id === 'pump' ? known.property(dataID) : undefined),
  event: (id, dataID) => (id === 'pump' ? known.event(dataID) : undefined),
  action: (id, actionID) => (id === 'pump' ? known.action(actionID) : undefined),
  device: (_, name) => (name === 'p02' ? '闵行三号泵站' : undefined),
  group: (id) => (id === '7' ? '华东供水' : undefined),
  channel: (id) => (id === 1 ? '华东值班群' : undefined),
  scene: (id) => (id === 9 ? '备用链路切换' : undefined),
  alarms: [],
}

const said = (parts: readonly SentencePart[]) => parts.map(({ text, strong }) => (strong ? `*${text}*` : text)).join('')
const text = (parts: readonly SentencePart[]) => parts.map((part) => part.text).join('')

const scene = (given: { type?: TriggerType; device?: object[]; cron?: string; when?: object[]; then?: object[] }) =>
  parseScene({
    triggerType: given.type ?? 'device',
    trigger: JSON.stringify({
      device: given.device ?? [{ productID: 'pump', operator: 'connected' }],
      ...(given.cron && { timer: { type: 'cron', cron: given.cron } }),
    }),
    when: JSON.stringify(given.when ?? []),
    then: JSON.stringify(given.then ?? []),
  })

const triggerOf = (device: object, who: SceneNames = names) =>
  text(describeScene(scene({ device: [device] }), who).trigger)
const hot = {
  productID: 'pump',
  selector: 'all',
  operator: 'reportProperty',
  operationSchema: { dataID: ['temp'], termType: 'gt', values: ['80'] },
}
const propertyIs = (dataID: string, termType: string, values: string | string[], net = 'and', deviceName = '') => ({
  columnType: 'property',
  columnSchema: { productID: 'pump', deviceName, dataID: [dataID], termType, values },
  netCondition: net,
})
const workdays = {
  columnType: 'sysTime',
  columnTime: { type: 'range', start: '08:00', end: '20:00', weekdays: [1, 2, 3, 4, 5] },
  netCondition: 'and',
}

describe('the trigger', () => {
  test('names the devices, the property, the comparison, the unit and how long', () => {
    const device = { ...hot, operationSchema: { ...hot.operationSchema, stateKeep: { type: 'duration', value: 30 } } }
    const { trigger } = describeScene(scene({ device: [device] }), names)
    expect(said(trigger)).toBe('任一水泵站 *水泵温度 > 80 ℃* 持续 30 秒')
  })

  test('names one or two chosen devices by their alias, more by their number', () => {
    const chosen = (selectorValues: string[]) => triggerOf({ ...hot, selector: 'fixed', selectorValues })
    expect(chosen(['p02'])).toBe('闵行三号泵站 水泵温度 > 80 ℃')
    expect(chosen(['p02', 'p03'])).toBe('闵行三号泵站、p03 水泵温度 > 80 ℃')
    expect(chosen(['p01', 'p02', 'p03'])).toBe('p01 等 3 台设备 水泵温度 > 80 ℃')
  })

  test('names the group', () => {
    expect(triggerOf({ ...hot, selector: 'group', selectorValues: ['7'] })).toBe('华东供水内任一水泵站 水泵温度 > 80 ℃')
  })

  test('shows identifiers where no name is known', () => {
    expect(triggerOf({ ...hot, productID: 'gone' })).toBe('任一gone temp > 80')
    expect(triggerOf({ ...hot, selector: 'group', selectorValues: ['8'] })).toContain('分组 8内')
  })

  test.each([
    [{ termType: 'btw', values: ['10', '20'] }, '水泵温度 介于 10 至 20 ℃'],
    [{ termType: 'in', values: ['1', '2'] }, '水泵温度 属于 1、2 ℃'],
    [{ termType: 'gt', values: '80', stateKeep: { type: 'repeating', value: 3 } }, '水泵温度 > 80 ℃ 60 秒内 3 次'],
    [
      { termType: 'gt', values: '80', stateKeep: { type: 'repeating', value: 3, window: 300 } },
      '水泵温度 > 80 ℃ 5 分钟内 3 次',
    ],
    [{}, '上报水泵温度'],
  ])('of the property with %j says %s', (schema, wanted) => {
    expect(triggerOf({ ...hot, operationSchema: { dataID: ['temp'], ...schema } })).toBe(`任一水泵站 ${wanted}`)
  })

  test.each([
    [{ operator: 'connected' }, '上线'],
    [
      { operator: 'disConnected', operationSchema: { stateKeep: { type: 'duration', value: 5, unit: 'minutes' } } },
      '下线 超过 5 分钟',
    ],
    [{ operator: 'noReport', operationSchema: { minutes: 10 } }, '10 分钟无数据'],
    [{ operator: 'noReport', operationSchema: { minutes: 10, dataID: ['temp'] } }, '水泵温度 10 分钟无数据'],
    [{ operator: 'reportEvent', operationSchema: { dataID: ['overflow'] } }, '事件 溢流报警'],
    [
      { operator: 'reportEvent', operationSchema: { dataID: ['overflow', 'level'], termType: 'gte', values: ['2'] } },
      '事件 溢流报警·液位 ≥ 2 m',
    ],
    [
      { operator: 'reportProperty', operationSchema: { dataID: ['volt', 'a'], termType: 'lt', values: ['198'] } },
      '电压·A 相 < 198 V',
    ],
    [
      { operator: 'reportProperty', operationSchema: { dataID: ['run'], termType: 'eq', values: ['1'] } },
      '运行状态 = 运行中',
    ],
    [
      { operator: 'reportProperty', operationSchema: { dataID: ['power'], termType: 'not', values: [true] } },
      '开关 ≠ 开',
    ],
  ])('%j reads "%s"', (trigger, wanted) => {
    expect(triggerOf({ productID: 'pump', ...trigger })).toBe(`任一水泵站 ${wanted}`)
  })

  test('says the devices once when several triggers are for the same', () => {
    const event = { productID: 'pump', operator: 'reportEvent', operationSchema: { dataID: ['overflow'] } }
    const { trigger } = describeScene(scene({ device: [hot, event] }), names)
    expect(said(trigger)).toBe('任一水泵站 *水泵温度 > 80 ℃* 或 事件 *溢流报警*')
  })

  test('of a manual scene is the hand', () => {
    expect(text(describeScene(scene({ type: 'manual' }), names).trigger)).toBe('手动执行')
  })

  test('of a timer is said in words, with the zone behind it', () => {
    const { trigger } = describeScene(scene({ type: 'timer', cron: '0 30 6 ? * MON-FRI' }), { ...names, zone: 'UTC+8' })
    expect(said(trigger)).toBe('周一至周五 *06:30:00*（UTC+8）')
  })

  test('for logs leaves the devices out', () => {
    const [first] = scene({ device: [hot] }).trigger.device ?? []
    expect(first && describeTrigger(first, names)).toBe('水泵温度 > 80 ℃')
    expect(describeTrigger({ type: 'cron', cron: '0 0 8 * * *' }, names)).toBe('每天 08:00:00')
  })
})

describe('the conditions', () => {
  const whenOf = (when: object[]) => text(describeScene(scene({ when }), names).when)

  test('show working days, and a group in brackets', () => {
    const group = {
      columnType: 'group',
      netCondition: 'and',
      terms: [propertyIs('run', 'eq', '1', 'or'), propertyIs('pressure', 'gte', '0.60')],
    }
    expect(said(describeScene(scene({ when: [workdays, group] }), names).when)).toBe(
      '*工作日 08:00–20:00* 且（*运行状态 = 运行中* 或 *出口压力 ≥ 0.60 MPa*）',
    )
  })

  test('name a device of their own', () => {
    expect(whenOf([propertyIs('temp', 'lt', '5', 'and', 'p02')])).toBe('闵行三号泵站 的 水泵温度 < 5 ℃')
  })

  test('fold left to right: brackets where the joint changes', () => {
    const a = propertyIs('temp', 'gt', '1', 'or')
    const b = propertyIs('temp', 'gt', '2', 'and')
    const c = propertyIs('temp', 'gt', '3')
    expect(whenOf([a, b, c])).toBe('（水泵温度 > 1 ℃ 或 水泵温度 > 2 ℃）且 水泵温度 > 3 ℃')
  })

  test('joined by "or" come in brackets, so that they can stand behind the trigger', () => {
    const a = propertyIs('temp', 'gt', '1', 'or')
    const b = propertyIs('temp', 'gt', '2')
    expect(whenOf([a, b])).toBe('（水泵温度 > 1 ℃ 或 水泵温度 > 2 ℃）')
  })

  test('with nested terms of their own keep those together', () => {
    const one = {
      ...propertyIs('temp', 'gt', '1'),
      childrenCondition: 'or',
      terms: [propertyIs('temp', 'gt', '2'), workdays],
    }
    expect(whenOf([one])).toBe('（水泵温度 > 1 ℃ 或（水泵温度 > 2 ℃ 且 工作日 08:00–20:00））')
  })

  const time = (columnTime: object) => whenOf([{ columnType: 'sysTime', columnTime, netCondition: 'and' }])
  test.each([
    [{ type: 'range', start: '22:00', end: '06:00' }, '22:00–06:00'],
    [{ type: 'range', start: '22:00', end: '06:00', weekdays: [7, 6] }, '周末 22:00–06:00'],
    [{ type: 'range', start: '08:00', end: '09:00', weekdays: [1, 3] }, '周一、三 08:00–09:00'],
    [{ type: 'range', start: '08:00', end: '09:00', weekdays: [1, 2, 3, 4, 5, 6, 7] }, '08:00–09:00'],
    [{ cron: '* 0-30 9 * * ?' }, '09:00–09:30'],
    [{ cron: '* * 9-17 * * 1-5' }, '周一至周五 09:00–17:59'],
    [{ cron: '* * * * * 6,7' }, '每周六、日'],
    [{ cron: '0 */7 9 * * ?' }, '时间符合 cron 0 */7 9 * * ?'],
  ])('of time %j read %s', (columnTime, wanted) => {
    expect(time(columnTime)).toBe(wanted)
  })

  test('for logs say how the members of a group count', () => {
    const group = (first: string) => ({
      columnType: 'group',
      terms: [propertyIs('temp', 'gt', '1', first), propertyIs('temp', 'gt', '2', 'or'), propertyIs('temp', 'gt', '3')],
    })
    const [any, mixed] = scene({ when: [group('or'), group('and')] }).conditions
    expect(any && describeCondition(any, names)).toBe('任一满足')
    expect(mixed && describeCondition(mixed, names)).toBe('条件组')
    const [leaf] = scene({ when: [propertyIs('temp', 'gt', '1')] }).conditions
    expect(leaf && describeCondition(leaf, names)).toBe('水泵温度 > 1 ℃')
  })
})

describe('the actions', () => {
  const output = (device: object) => ({
    executor: 'device',
    device: { productID: 'pump', selector: 'trigger', type: 'propertyControl', value: '{}', ...device },
  })
  const actionOf = (action: object, who: SceneNames = names) => {
    const [one] = scene({ then: [action] }).actions
    return one && describeAction(one, who)
  }

  test('follow one another by arrows, those at the same time by a plus', () => {
    const then = [
      output({ type: 'action', dataID: 'stop' }),
      { executor: 'delay', delay: { time: 10 } },
      { executor: 'alarm', alarm: { mode: 'trigger' } },
      { executor: 'notify', notify: { channelIDs: [1] }, parallel: true },
    ]
    expect(text(describeScene(scene({ then }), names).then)).toBe('停泵 → 延时 10 秒 → 触发告警 ＋ 通知 华东值班群')
  })

  test.each([
    [output({ value: '{"temp":42.5,"power":1}' }), '设置 水泵温度 = 42.5 ℃、开关 = 开'],
    [output({ selector: 'all', value: '{"run":0}' }), '设置 全部水泵站 运行状态 = 停机'],
    [output({ value: '{"a":1,"b":2,"c":3,"d":4}' }), '设置 a = 1、b = 2、c = 3 等 4 项'],
    [
      output({ selector: 'fixed', selectorValues: ['p02'], type: 'action', dataID: 'stop' }),
      '调用 闵行三号泵站「停泵」',
    ],
    [
      output({ selector: 'group', selectorValues: ['7'], type: 'action', dataID: 'stop' }),
      '调用 华东供水内全部水泵站「停泵」',
    ],
    [{ executor: 'delay', delay: { time: 2, unit: 'hours' } }, '延时 2 小时'],
    [{ executor: 'scene', scene: { sceneID: 9 } }, '执行场景「备用链路切换」'],
    [{ executor: 'scene', scene: { sceneID: 10 } }, '执行场景「10」'],
    [{ executor: 'notify', notify: { channelIDs: [1, 5] } }, '通知 华东值班群、渠道 5'],
    [{ executor: 'notify', notify: { type: 'email', to: ['a@b.cn', 'c@d.cn'] } }, '通知 邮件 2 人'],
    [{ executor: 'alarm', alarm: { mode: 'relieve' } }, '解除告警'],
  ])('%j read "%s"', (action, wanted) => {
    expect(actionOf(action)).toBe(wanted)
  })

  test('of an inline address show its host only: the path may be its key', () => {
    const notify = { type: 'dingtalk', url: 'https://robot.example.com/send?access_token=secret' }
    expect(actionOf({ executor: 'notify', notify })).toBe('通知 钉钉机器人（robot.example.com）')
  })

  test('name the linked alarms, at most two', () => {
    const raise = { executor: 'alarm', alarm: { mode: 'trigger' } }
    expect(actionOf(raise, { ...names, alarms: ['水泵超温'] })).toBe('触发告警「水泵超温」')
    expect(actionOf(raise, { ...names, alarms: ['一', '二', '三'] })).toBe('触发告警「一」「二」等 3 个')
  })
})

/** Every leaf stands in the sentence once, and brackets close what they open: nothing is lost in nesting. */
test('conditions of any shape are said whole', () => {
  const joint = fc.constantFrom('and', 'or')
  const leaf = fc.record({ net: joint, value: fc.integer({ min: 0, max: 999_999 }) })
  const group = fc.record({ net: joint, terms: fc.array(leaf, { minLength: 1, maxLength: 5 }) })
  const wire = (one: { net: string; value: number }) => propertyIs('temp', 'gt', String(one.value), one.net)
  fc.assert(
    fc.property(fc.array(fc.oneof(leaf, group), { minLength: 1, maxLength: 8 }), (list) => {
      const when = list.map((one) =>
        'terms' in one ? { columnType: 'group', netCondition: one.net, terms: one.terms.map(wire) } : wire(one),
      )
      const sentence = text(describeScene(scene({ when }), names).when)
      const leaves = list.flatMap((one) => ('terms' in one ? one.terms : [one]))
      expect(sentence.match(/\d+(?= ℃)/g)?.map(Number)).toEqual(leaves.map((one) => one.value))
      expect(sentence.split('（')).toHaveLength(sentence.split('）').length)
    }),
  )
})

test('a value that was seen is shown by its label or with its unit', () => {
  expect(showValue(known.property(['temp']), 83.6)).toBe('83.6 ℃')
  expect(showValue(known.property(['run']), 1)).toBe('运行中')
  expect(showValue(known.property(['power']), false)).toBe('关')
  expect(showValue(undefined, { a: 1 })).toBe('{"a":1}')
  expect(showValue(known.property(['temp']), undefined)).toBe('')
  expect(showValue(undefined, 'x'.repeat(100))).toHaveLength(61)
})
