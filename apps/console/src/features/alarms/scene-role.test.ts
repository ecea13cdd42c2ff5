import { expect, test } from 'vitest'
import { sceneRole, watchedBy } from './scene-role.ts'

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

test('the preview of a notice looks at the devices that the first raising scene watches', () => {
  const scene = (name: string, more: object) => ({
    name,
    triggerType: 'device' as const,
    trigger: JSON.stringify({
      device: [{ productID: 'Pump', selector: 'all', operator: 'connected', operationSchema: { dataID: [] }, ...more }],
    }),
    when: '[]',
    triggerText: [{ text: '任一水泵' }, { text: '上线' }],
  })
  const quiet = { ...scene('无告警', {}), ...then() }
  const all = { ...scene('上线', {}), ...then(alarm('trigger')) }
  const one = { ...scene('一台', { selector: 'fixed', selectorValues: ['P-1'] }), ...then(alarm('trigger')) }
  const seen = { trigger: '任一水泵上线', productID: 'Pump' }
  expect(watchedBy([quiet, all])).toEqual({ ...seen, sceneName: '上线', deviceName: '' })
  expect(watchedBy([one, all])).toEqual({ ...seen, sceneName: '一台', deviceName: 'P-1' })
  expect(watchedBy([quiet])).toBeUndefined()
})
