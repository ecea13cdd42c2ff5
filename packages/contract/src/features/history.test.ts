import { expect, test } from 'vitest'
import { EventType, eventTypeLabels } from '../thing-model/model.ts'
import { listEventLog } from './history.ts'

const asked = (types?: unknown) => listEventLog.body.safeParse({ productID: 'p', deviceNames: ['d'], types })

test('spec 3: the event type filter is alert, fault, info, or none for all', () => {
  expect(Object.values(EventType).toSorted()).toEqual(['alert', 'fault', 'info'])
  for (const type of ['alert', 'fault', 'info']) expect(asked([type]).data?.types, type).toEqual([type])
  for (const none of [undefined, null]) expect(asked(none).success, String(none)).toBe(true)
  expect(asked(['all']).success).toBe(false)
})

test('every event type has a Chinese label', () => {
  for (const type of Object.values(EventType)) expect(eventTypeLabels[type]).toMatch(/\p{Script=Han}/u)
})
