import { expect, test } from 'vitest'
import { queueFilter, sharedFilter, tabOf } from './queue-filter.ts'

test('the tabs are the open records, mine among them, and all', () => {
  expect(queueFilter({})).toEqual({ dealState: 2 })
  expect(queueFilter({ tab: 'mine' })).toEqual({ dealState: 2, mine: true })
  expect(queueFilter({ tab: 'all' })).toEqual({})
  expect(tabOf('nonsense')).toBe('open')
})

test('the counters count over tab and level', () => {
  expect(sharedFilter({ tab: 'mine', levels: '5', keyword: '泵' })).toEqual({ keyword: '泵' })
  expect(queueFilter({ tab: 'all', levels: '5,4', keyword: '泵' })).toEqual({ keyword: '泵', levels: [5, 4] })
})

test('ids of a hand-edited link that are none are left out, and a device counts with its product only', () => {
  expect(sharedFilter({ alarmID: 'x', sceneID: '7', deviceName: 'P02' })).toEqual({ sceneID: 7 })
  expect(sharedFilter({ productID: 'p', deviceName: 'P02' })).toEqual({ productID: 'p', deviceName: 'P02' })
})

test('a preset moves with the clock and has no end, a picked range keeps both', () => {
  const now = 1_700_000_000_000
  expect(sharedFilter({ time: { preset: 0 } }, now)).toEqual({ timeRange: { start: now - 1_800_000 } })
  expect(sharedFilter({ time: { timeStart: '5', timeEnd: '9' } }, now)).toEqual({ timeRange: { start: 5, end: 9 } })
})
