import { expect, test } from 'vitest'
import { limitsOf } from './limits.ts'

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
const limits = (...scenes: ReturnType<typeof scene>[]) => limitsOf(scenes, 'p', 'd1').map(({ text }) => text)

test('a limit is named by the alarm that it raises, else by its scene; the same value once', () => {
  expect(limits(scene(when('gt', ['80']), ['过热']))).toEqual(['过热 > 80'])
  expect(limits(scene(when('btw', ['1', '2'])))).toEqual(['场景 介于 1', '场景 介于 2'])
  expect(limits(scene(when('gt', ['80'])), scene(when('gte', '80')))).toEqual(['场景 ≥ 80'])
})

test('only what holds for the device, and what a line can show', () => {
  const given = when('lt', ['5'])
  expect(limits(scene({ ...given, selector: 'fixed', selectorValues: ['d1'] }))).toHaveLength(1)
  expect(limits(scene({ ...given, selector: 'fixed', selectorValues: ['d2'] }))).toEqual([])
  expect(limits(scene({ ...given, selector: 'group', selectorValues: ['7'] }))).toEqual([])
  expect(limits(scene({ ...given, productID: 'other' }))).toEqual([])
  expect(limits(scene(when('eq', ['5'])), scene(when('gt', ['abc'])))).toEqual([])
  expect(limits({ ...scene(given), trigger: 'no JSON' })).toEqual([])
})
