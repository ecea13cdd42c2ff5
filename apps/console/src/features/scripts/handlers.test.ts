import { testCase } from '@ithings/contract/features/scripts.ts'
import { expect, test } from 'vitest'
import { baseOf, definedHandlers, groupsFor, handlerName, keepHandler } from './handlers.ts'
import { scriptTemplates } from './templates.ts'

const names = (direction: 'up' | 'down') =>
  groupsFor(direction).flatMap((group) => group.handlers.map((one) => handlerName(one.base, direction)))

test('screens.md 4.4: names are made of head, type and direction, and the contract takes each', () => {
  expect(names('up').slice(0, 3)).toEqual(['thingPropertyUp', 'thingEventUp', 'thingActionUp'])
  for (const name of [...names('up'), ...names('down')]) {
    expect(testCase.shape.handler.safeParse(name).success, name).toBe(true)
  }
})

test('what the platform only sends has no function for messages that come in', () => {
  expect(names('up')).not.toContain('configPushUp')
  expect(names('down')).toContain('configPushDown')
})

test('changing the direction keeps the function where both directions have it', () => {
  expect(keepHandler(baseOf('thingEventUp'), 'down')).toBe('thingEvent')
  expect(keepHandler(baseOf('configPushDown'), 'up')).toBe('thingProperty')
})

test('functions are found in a script however they are written', () => {
  expect(definedHandlers('function thingPropertyUp(b) {}\nconst thingEventUp = (b) => ({})\n// thingActionUp')).toEqual(
    ['thingPropertyUp', 'thingEventUp'],
  )
})

test('every starter template defines functions of the list', () => {
  const known = [...names('up'), ...names('down')]
  for (const { name, code } of scriptTemplates) {
    const defined = definedHandlers(code)
    expect(defined.length, name).toBeGreaterThan(0)
    expect(known, name).toEqual(expect.arrayContaining(defined))
  }
})
