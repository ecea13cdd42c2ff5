import { expect, test } from 'vitest'
import { sceneRole } from './scene-role.ts'

const alarm = (mode: string) => ({ executor: 'alarm', alarm: { mode } })
const then = (...actions: object[]) => ({ then: JSON.stringify(actions) })

test('a scene raises, clears, does both or neither by its actions', () => {
  expect(sceneRole(then(alarm('trigger')))).toEqual({ raises: true, clears: false })
  expect(sceneRole(then(alarm('relieve')))).toEqual({ raises: false, clears: true })
  expect(sceneRole(then(alarm('trigger'), alarm('relieve')))).toEqual({ raises: true, clears: true })
  expect(sceneRole(then({ executor: 'delay', delay: { time: 1, unit: 'seconds' } }))).toEqual({
    raises: false,
    clears: false,
  })
})

test('actions that cannot be read do nothing', () => {
  expect(sceneRole({ then: '{' })).toEqual({ raises: false, clears: false })
  expect(sceneRole({ then: '' })).toEqual({ raises: false, clears: false })
})
