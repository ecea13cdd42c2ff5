import { expect, test } from 'vitest'
import { whyKept, whyNotRun } from './use-scene-actions.tsx'

const alarm = { id: 1, name: '水泵超温', level: 5, status: 1 }

test('a scene with alarms is kept, and they are named', () => {
  expect(whyKept({ alarms: [] })).toBeUndefined()
  expect(whyKept({ alarms: [alarm] })).toContain('「水泵超温」')
})

test('only an enabled manual scene is run by hand', () => {
  expect(whyNotRun({ status: 1, triggerType: 'manual' })).toBeUndefined()
  expect(whyNotRun({ status: 2, triggerType: 'manual' })).toBe('场景未启用')
  expect(whyNotRun({ status: 1, triggerType: 'timer' })).toBe('只有手动触发的场景可以执行')
})
