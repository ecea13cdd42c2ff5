import type { DeviceTrigger } from '@ithings/contract/rules/device-trigger.ts'
import type { TriggerType } from '@ithings/contract/rules/scene-limits.ts'
import type { Condition, SceneAction } from '@ithings/contract/rules/scene-parts.ts'
import { parseScene } from '@ithings/contract/rules/scene-text.ts'
import { expect, test } from 'vitest'
import { checkDraft } from './check-draft.ts'
import { draftOf, emptyDraft, textsOf } from './draft.ts'

const scene = (triggerType: TriggerType, trigger: unknown, when: unknown = [], then: unknown = []) => ({
  name: '场景',
  desc: '',
  status: 1,
  triggerType,
  trigger: JSON.stringify(trigger),
  when: JSON.stringify(when),
  then: JSON.stringify(then),
})
type Saved = ReturnType<typeof scene>

/** Opening and saving must not change what the platform understands. */
function expectUnchanged(saved: Saved) {
  const draft = draftOf(saved)
  expect(parseScene(textsOf(draft))).toEqual(parseScene(saved))
  expect(checkDraft(draft)).toEqual([])
}

const property = (rest: object): DeviceTrigger => ({
  productID: 'p1',
  selector: 'all',
  operator: 'reportProperty',
  ...rest,
})

const triggers: [string, object][] = [
  ['online of all devices', { productID: 'p1', selector: 'all', operator: 'connected' }],
  [
    'offline of chosen devices',
    { productID: 'p1', selector: 'fixed', selectorValues: ['a', 'b'], operator: 'disConnected' },
  ],
  ['any report of a property', property({ operationSchema: { dataID: ['temp'] } })],
  [
    'a comparison kept for a time',
    property({
      selector: 'group',
      selectorValues: ['3'],
      operationSchema: {
        dataID: ['temp'],
        termType: 'gt',
        values: ['80'],
        stateKeep: { type: 'duration', value: 30, unit: 'seconds' },
      },
      once: true,
      minInterval: 300,
    }),
  ],
  [
    'a member within two values, so often',
    property({
      operationSchema: {
        dataID: ['phase', 'ia'],
        termType: 'btw',
        values: ['1', '2'],
        stateKeep: { type: 'repeating', value: 3, unit: 'seconds', window: 90 },
      },
    }),
  ],
  ['a plain text as value', property({ operationSchema: { dataID: ['temp'], termType: 'eq', values: '30' } })],
  ['an event', { productID: 'p1', selector: 'all', operator: 'reportEvent', operationSchema: { dataID: ['fault'] } }],
  [
    'a parameter of an event',
    {
      productID: 'p1',
      selector: 'all',
      operator: 'reportEvent',
      operationSchema: { dataID: ['fault', 'code'], termType: 'in', values: ['1', '2', '3'] },
    },
  ],
  ['silence', { productID: 'p1', selector: 'all', operator: 'noReport', operationSchema: { dataID: [], minutes: 10 } }],
]

test.each(triggers)('a device trigger goes back as it came: %s', (_, trigger) => {
  expectUnchanged(scene('device', { device: [trigger] }))
  // The bare list of device triggers is taken, too (rules.md 2).
  expectUnchanged(scene('device', [trigger]))
})

test('a timer and a manual scene go back as they came', () => {
  expectUnchanged(scene('timer', { timer: { type: 'cron', cron: '0 0 12 * * ?' } }))
  expectUnchanged(scene('manual', ''))
})

const leaf = (values: string | string[], rest: object = {}): Condition => ({
  columnType: 'property',
  columnSchema: { productID: 'p1', deviceName: 'd1', dataID: ['temp'], termType: 'gt', values },
  netCondition: 'and',
  ...rest,
})

const conditions: [string, Condition[]][] = [
  ['a plain text as value', [leaf('30')]],
  [
    'the triggering device',
    [
      {
        ...leaf(['30']),
        columnSchema: { productID: 'p1', deviceName: '', dataID: ['s', 'm'], termType: 'in', values: ['1', '2'] },
      },
    ],
  ],
  [
    'a cron as a range of times',
    [{ columnType: 'sysTime', columnTime: { type: 'cron', cron: '* 0-30 9 * * ?' }, netCondition: 'and' }],
  ],
  [
    'hours of weekdays',
    [
      {
        columnType: 'sysTime',
        columnTime: { type: 'range', start: '08:00', end: '20:00', weekdays: [1, 2, 3, 4, 5] },
        netCondition: 'or',
      },
    ],
  ],
  ['an event that no platform judges', [{ columnType: 'event', netCondition: 'and' }]],
  ['mixed relations', [leaf('1'), leaf('2', { netCondition: 'or' }), leaf('3')]],
  [
    'a group in a group',
    [
      {
        columnType: 'group',
        netCondition: 'and',
        childrenCondition: 'and',
        terms: [leaf('1', { netCondition: 'or' }), { columnType: 'group', netCondition: 'and', terms: [leaf('2')] }],
      },
    ],
  ],
  [
    'terms under a condition',
    [leaf('1', { childrenCondition: 'or', terms: [leaf('2', { netCondition: 'or' }), leaf('3')] })],
  ],
]

test.each(conditions)('conditions go back as they came: %s', (_, when) => {
  expectUnchanged(scene('manual', '', when))
})

const output = { productID: 'p1', selector: 'fixed', selectorValues: ['d1'], value: '{"power":1}' }
const actions: [string, object][] = [
  [
    'a delay of the public console',
    { executor: 'delay', delay: { time: 5.5, unit: 'minutes' }, alarm: null, device: null },
  ],
  ['properties', { executor: 'device', device: { ...output, type: 'propertyControl', dataID: '' } }],
  [
    'an action',
    { executor: 'device', device: { ...output, selector: 'all', type: 'action', dataID: 'stop' }, parallel: true },
  ],
  [
    'an action named by a list',
    { executor: 'device', device: { ...output, selector: 'trigger', type: 'action', dataID: ['stop'] } },
  ],
  ['raising', { executor: 'alarm', alarm: { mode: 'trigger' } }],
  ['clearing', { executor: 'alarm', alarm: { mode: 'relieve' } }],
  ['channels', { executor: 'notify', notify: { channelIDs: [1, 2], title: '标题', content: '请处理' } }],
  [
    'an inline webhook',
    { executor: 'notify', notify: { type: 'webhook', url: 'https://example.com/hook', secret: 's' } },
  ],
  ['an inline mail', { executor: 'notify', notify: { type: 'email', to: ['a@example.com'], content: 'x' } }],
  ['another scene', { executor: 'scene', scene: { sceneID: 7 } }],
]

test.each(actions)('an action goes back as it came: %s', (_, action) => {
  expectUnchanged(scene('manual', '', [], [action as unknown as SceneAction]))
})

test('texts that the public console leaves out are empty parts', () => {
  const draft = draftOf({ ...scene('manual', ''), when: '', then: '' })
  expect(draft.conditions).toEqual([])
  expect(draft.actions).toEqual([])
})

test('a new scene of each type starts with what its type needs', () => {
  expect(emptyDraft('device').triggers).toHaveLength(1)
  expect(checkDraft(emptyDraft('timer', '定时'))).toEqual([])
  expect(checkDraft(emptyDraft('manual', '手动'))).toEqual([])
})
