import { describe, expect, test } from 'vitest'
import { deviceTrigger, stateKeep, valuesOf } from './device-trigger.ts'
import { sceneLimits } from './scene-limits.ts'
import { type Condition, sceneActions, sceneConditions } from './scene-parts.ts'
import { secondsOf } from './time-units.ts'

const property = { dataID: ['temp'], termType: 'gt', values: ['30'] }
const trigger = (fields: object = {}) => ({
  productID: 'p1',
  operator: 'reportProperty',
  operationSchema: property,
  ...fields,
})
const taken = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success

describe('device triggers', () => {
  test.each<[string, object]>([
    ['any device when nothing is said', {}],
    ['chosen devices', { selector: 'fixed', selectorValues: ['d1'] }],
    ['a group', { selector: 'group', selectorValues: ['7'] }],
    ['every report of a property', { operationSchema: { dataID: ['temp'] } }],
    ['a member of a struct', { operationSchema: { ...property, dataID: ['pos', 'x'] } }],
    ['coming online', { operator: 'connected', operationSchema: undefined }],
    [
      'going offline for a while',
      { operator: 'disConnected', operationSchema: { stateKeep: { type: 'duration', value: 30 } } },
    ],
    ['an event', { operator: 'reportEvent', operationSchema: { dataID: ['fault'] } }],
    ['silence of the device', { operator: 'noReport', operationSchema: { minutes: 10 } }],
    ['silence of a property', { operator: 'noReport', operationSchema: { minutes: 10, dataID: ['temp'] } }],
    ['once, with a distance', { once: true, minInterval: 86_400 }],
  ])('%s', (_, fields) => expect(taken(deviceTrigger, trigger(fields))).toBe(true))

  test.each<[string, object]>([
    ['chosen devices without a name', { selector: 'fixed' }],
    ['a group without an id', { selector: 'group', selectorValues: [] }],
    ['a property trigger without property', { operationSchema: undefined }],
    ['an event trigger without event', { operator: 'reportEvent', operationSchema: { dataID: [] } }],
    ['silence without minutes', { operator: 'noReport', operationSchema: {} }],
    ['too few values', { operationSchema: { ...property, termType: 'btw' } }],
    ['too many values', { operationSchema: { ...property, values: ['1', '2'] } }],
    ['an unknown operator', { operationSchema: { ...property, termType: 'like' } }],
    ['the spelling of the hub log', { operator: 'disconnected' }],
    ['a distance of more than a day', { minInterval: 86_401 }],
    ['three steps of a path', { operationSchema: { ...property, dataID: ['a', 'b', 'c'] } }],
  ])('not: %s', (_, fields) => expect(taken(deviceTrigger, trigger(fields))).toBe(false))
})

describe('debounce', () => {
  test.each<[object, boolean]>([
    [{ type: 'duration', value: 30, unit: 'seconds' }, true],
    [{ type: 'duration', value: 24, unit: 'hours' }, true],
    [{ type: 'duration', value: 25, unit: 'hours' }, false],
    [{ type: 'duration', value: 0 }, true],
    [{ type: 'repeating', value: 3 }, true],
    [{ type: 'repeating', value: 3, window: 600 }, true],
    [{ type: 'repeating', value: 0 }, false],
    [{ type: 'repeating', value: 1001 }, false],
    [{ type: 'repeating', value: 3, window: 0 }, false],
    [{ type: 'sometimes', value: 3 }, false],
  ])('%j: %s', (value, wanted) => expect(taken(stateKeep, value)).toBe(wanted))

  test('units', () => {
    expect(secondsOf({ value: 1.5, unit: 'minutes' })).toBe(90)
    expect(secondsOf({ value: 2, unit: 'hours' })).toBe(7200)
  })
})

test.each([
  ['1', true],
  ['999999999999999', true],
  ['0', false],
  ['abc', false],
  ['9'.repeat(20), false],
])('group %s: %s', (groupID, wanted) => {
  const trigger = { productID: 'p1', selector: 'group', selectorValues: [groupID], operator: 'connected' }
  expect(taken(deviceTrigger, trigger)).toBe(wanted)
  const device = { productID: 'p1', selector: 'group', selectorValues: [groupID], type: 'propertyControl', value: '{}' }
  expect(taken(sceneActions, [{ executor: 'device', device }])).toBe(wanted)
})

test('values are a list in the end', () => {
  expect(valuesOf(undefined)).toEqual([])
  expect(valuesOf(null)).toEqual([])
  expect(valuesOf('')).toEqual([''])
  expect(valuesOf(['1', '2'])).toEqual(['1', '2'])
})

describe('limits of conditions', () => {
  const leaf: Condition = {
    columnType: 'sysTime',
    columnTime: { type: 'cron', cron: '* * * * * *' },
    netCondition: 'and',
  }
  const group = (terms: Condition[]): Condition => ({ columnType: 'group', netCondition: 'and', terms })

  test('groups and leaves count together', () => {
    const most = Array.from({ length: sceneLimits.conditions }, () => leaf)
    expect(taken(sceneConditions, most)).toBe(true)
    expect(taken(sceneConditions, [...most, leaf])).toBe(false)
    expect(taken(sceneConditions, [group(most)])).toBe(false)
  })

  test('groups nest two deep', () => {
    expect(taken(sceneConditions, [group([group([leaf])])])).toBe(true)
    const { error } = sceneConditions.safeParse([group([group([group([leaf])])])])
    expect(error?.issues.map(({ message }) => message)).toEqual(['条件最多嵌套 2 层'])
  })

  test('a text that nests a thousand deep is refused like any other', () => {
    const deep = '{"columnType":"group","terms":['.repeat(1_800) + ']}'.repeat(1_800)
    expect(taken(sceneConditions, [JSON.parse(deep)])).toBe(false)
  })

  test('a group needs members, a leaf what it looks at', () => {
    expect(taken(sceneConditions, [group([])])).toBe(false)
    expect(taken(sceneConditions, [{ columnType: 'property' }])).toBe(false)
    expect(taken(sceneConditions, [{ columnType: 'sysTime' }])).toBe(false)
    expect(taken(sceneConditions, [{ columnType: 'event' }])).toBe(true)
  })
})

describe('actions', () => {
  const output = { productID: 'p1', selectorValues: ['d1'], type: 'propertyControl', value: '{"power":1}' }
  test.each<[string, object, boolean]>([
    ['a delay of a day', { executor: 'delay', delay: { time: 24, unit: 'hours' } }, true],
    ['a delay beyond a day', { executor: 'delay', delay: { time: 25, unit: 'hours' } }, false],
    ['a negative delay', { executor: 'delay', delay: { time: -1 } }, false],
    ['setting properties', { executor: 'device', device: output }, true],
    ['setting nothing', { executor: 'device', device: { ...output, value: '' } }, false],
    ['setting a list', { executor: 'device', device: { ...output, value: '[1]' } }, false],
    ['calling no action', { executor: 'device', device: { ...output, type: 'action' } }, false],
    ['an action by list', { executor: 'device', device: { ...output, type: 'action', dataID: ['stop'] } }, true],
    ['nobody told', { executor: 'notify', notify: {} }, false],
    ['an inline webhook', { executor: 'notify', notify: { type: 'webhook', url: 'http://a.example/x' } }, true],
    ['another scene', { executor: 'scene', scene: { sceneID: 3 } }, true],
  ])('%s', (_, action, wanted) => expect(taken(sceneActions, [action])).toBe(wanted))

  test('no more than fifty', () => {
    const one = { executor: 'alarm', alarm: { mode: 'trigger' } }
    expect(
      taken(
        sceneActions,
        Array.from({ length: 50 }, () => one),
      ),
    ).toBe(true)
    expect(
      taken(
        sceneActions,
        Array.from({ length: 51 }, () => one),
      ),
    ).toBe(false)
  })
})
