import { expect, test } from 'vitest'
import { groupsMeaning, limitsOf } from './limits.ts'

const scene = (trigger: object, alarms: string[] = []) => ({
  name: '场景',
  trigger: JSON.stringify({
    device: [{ productID: 'p', selector: 'all', operator: 'reportProperty', ...trigger }],
  }),
  alarms: alarms.map((name, id) => ({ id, name, level: 1, status: 1 })),
})
const when = (termType: string, values: string | string[]) => ({
  operationSchema: { dataID: ['temp'], termType, values },
})
const limits = (...scenes: ReturnType<typeof scene>[]) =>
  limitsOf(scenes, { productID: 'p', deviceName: 'd1', groups: new Set(['5', '7']) }).map(({ text }) => text)

test('a limit is named by the alarm that it raises, else by its scene; the same value once', () => {
  expect(limits(scene(when('gt', ['80']), ['过热']))).toEqual(['过热 > 80'])
  expect(limits(scene(when('btw', ['1', '2'])))).toEqual(['场景 介于 1', '场景 介于 2'])
  expect(limits(scene(when('gt', ['80'])), scene(when('gte', '80')))).toEqual(['场景 ≥ 80'])
})

test('only what holds for the device, and what a line can show', () => {
  const given = when('lt', ['5'])
  expect(limits(scene({ ...given, selector: 'fixed', selectorValues: ['d1'] }))).toHaveLength(1)
  expect(limits(scene({ ...given, selector: 'fixed', selectorValues: ['d2'] }))).toEqual([])
  expect(limits(scene({ ...given, selector: 'group', selectorValues: ['7'] }))).toHaveLength(1)
  expect(limits(scene({ ...given, selector: 'group', selectorValues: ['8'] }))).toEqual([])
  // A device that is named like the number of a group is not meant by it.
  expect(limits(scene({ ...given, selector: 'fixed', selectorValues: ['7'] }))).toEqual([])
  expect(limits(scene({ ...given, productID: 'other' }))).toEqual([])
  expect(limits(scene(when('eq', ['5'])), scene(when('gt', ['abc'])))).toEqual([])
  expect(limits({ ...scene(given), trigger: 'no JSON' })).toEqual([])
})

test('a group means the devices of the groups below it, too', () => {
  const group = (groupID: string, parentID: string) => ({ groupID, parentID })
  const all = [group('2', '1'), group('5', '2'), group('7', '5'), group('8', '2')]
  expect(groupsMeaning([{ groupID: '7' }], all)).toEqual(new Set(['7', '2', '5']))
  // Who may not read the tree knows the device's own groups.
  expect(groupsMeaning([{ groupID: '7' }], [])).toEqual(new Set(['7']))
})
