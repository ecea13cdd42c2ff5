import { expect, test } from 'vitest'
import { whyKept, whyNotRun } from './use-scene-actions.tsx'

const alarm = { id: 1, name: '水泵超温', level: 5, status: 1 }

test('an enabled scene and one with alarms are kept, and both reasons are named', () => {
  expect(whyKept({ status: 2, alarms: [] })).toEqual([])
  expect(whyKept({ status: 1, alarms: [] })).toEqual(['它正在启用，请先禁用'])
  expect(whyKept({ status: 1, alarms: [alarm] })).toHaveLength(2)
  expect(whyKept({ status: 2, alarms: [alarm] })[0]).toContain('「水泵超温」')
})

test('only an enabled manual scene is run by hand', () => {
  expect(whyNotRun({ status: 1, triggerType: 'manual' })).toBeUndefined()
  expect(whyNotRun({ status: 2, triggerType: 'manual' })).toBe('场景未启用')
  expect(whyNotRun({ status: 1, triggerType: 'timer' })).toBe('只有手动触发的场景可以执行')
})
