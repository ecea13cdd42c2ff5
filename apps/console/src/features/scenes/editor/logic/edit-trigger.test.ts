import type { DeviceTrigger } from '@ithings/contract/rules/device-trigger.ts'
import { expect, test } from 'vitest'
import { firstTerm, keepChoices, withKeep, withOperator, withProduct } from './edit-trigger.ts'

const trigger: DeviceTrigger = {
  productID: 'p1',
  selector: 'fixed',
  selectorValues: ['d1'],
  operator: 'reportProperty',
  operationSchema: {
    dataID: ['temp'],
    termType: 'gt',
    values: ['80'],
    stateKeep: { type: 'duration', value: 30, unit: 'seconds' },
  },
}

test('another kind of trigger keeps a debounce that fits it', () => {
  expect(withOperator(trigger, 'disConnected').operationSchema).toEqual({
    dataID: [],
    stateKeep: { type: 'duration', value: 30, unit: 'seconds' },
  })
  expect(withOperator(trigger, 'reportEvent').operationSchema?.stateKeep).toBeNull()
  expect(withOperator(trigger, 'noReport').operationSchema).toEqual({ dataID: [], minutes: 10 })
  expect(withOperator(trigger, 'reportProperty')).toBe(trigger)
})

test('another product takes its properties and devices with it', () => {
  const changed = withProduct(trigger, 'p2')
  expect(changed.selectorValues).toBeNull()
  expect(changed.operationSchema).toMatchObject({ dataID: [], termType: null, values: null })
  const group = { ...trigger, selector: 'group' as const, selectorValues: ['3'] }
  expect(withProduct(group, 'p2').selectorValues).toEqual(['3'])
})

test('only a state can last, and what an existing scene has is always offered', () => {
  expect(keepChoices(trigger)).toEqual(['none', 'duration', 'repeating'])
  const any = { ...trigger, operationSchema: { dataID: ['temp'] } }
  expect(keepChoices(any)).toEqual(['none', 'repeating'])
  expect(keepChoices(withKeep({ ...trigger, operator: 'reportEvent' }, 'duration'))).toEqual([
    'none',
    'repeating',
    'duration',
  ])
})

test('a debounce is taken away again', () => {
  expect(withKeep(trigger, 'none').operationSchema?.stateKeep).toBeNull()
})

test('numbers start with a limit, states with equality, lists with nothing', () => {
  expect(firstTerm({ type: 'float' }).termType).toBe('gt')
  expect(firstTerm({ type: 'bool' }).termType).toBe('eq')
  expect(firstTerm({ type: 'array' }).termType).toBeNull()
  expect(firstTerm(undefined).termType).toBeNull()
})
