import { expect, test } from 'vitest'
import { offlineBands } from './offline-bands.ts'

const passage = (time: number, action: string) => ({ timestamp: String(time), action })

test('look.md 15: a band lasts from going to coming back, whatever order the log has', () => {
  expect(
    offlineBands([passage(50, 'connected'), passage(20, 'disconnected'), passage(30, 'property')], 0, 100),
  ).toEqual([{ from: 20, to: 50 }])
})

test('who comes first thing was away before, who went last is still away', () => {
  expect(offlineBands([passage(10, 'connected'), passage(90, 'disconnected')], 0, 100)).toEqual([
    { from: 0, to: 10 },
    { from: 90, to: 100 },
  ])
})

test('a take-over (twice connected) leaves no band, and no passage says nothing', () => {
  expect(
    offlineBands([passage(10, 'disconnected'), passage(10, 'connected'), passage(20, 'connected')], 0, 100),
  ).toEqual([])
  expect(offlineBands([], 0, 100)).toEqual([])
})
