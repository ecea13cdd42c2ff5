import { dayMs } from '@ithings/contract/durations.ts'
import { expect, test } from 'vitest'
import { stepOf } from './home-times.ts'

test('a day is a whole number of steps, so that yesterday lies exactly below today', () => {
  for (const kind of ['online', 'message', 'alarm'] as const) {
    for (let hours = 1; hours <= 168; hours++) {
      const step = stepOf(kind, hours)
      expect(dayMs % step).toBe(0)
      expect((hours * 3_600_000) / step).toBeLessThanOrEqual(360)
    }
  }
})
