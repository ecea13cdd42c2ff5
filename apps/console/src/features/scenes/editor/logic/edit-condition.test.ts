import type { ColumnTime } from '@ithings/contract/rules/scene-parts.ts'
import { compileColumnTime } from '@ithings/contract/rules/time-range.ts'
import { expect, test } from 'vitest'
import { dayKindOf, dayKinds, newCondition, withDayKind, withKind } from './edit-condition.ts'

const range: ColumnTime = { type: 'range', start: '22:00', end: '06:00', weekdays: [] }

test.each(dayKinds)('a choice of days is shown as what was chosen: %s', (kind) => {
  const time = withDayKind(range, kind)
  expect(dayKindOf(time)).toBe(kind)
  expect(compileColumnTime(time)).toBeDefined()
})

test('the hours stay when the days change', () => {
  expect(withDayKind(range, 'weekend')).toEqual({ ...range, weekdays: [6, 7] })
})

test('another kind of condition keeps its relation and what is nested', () => {
  const item = newCondition('property', 'p1')
  item.part.netCondition = 'or'
  item.part.childrenCondition = 'or'
  item.terms = [newCondition('sysTime', '')]
  const changed = withKind(item, 'sysTime', '')
  expect(changed).toMatchObject({
    key: item.key,
    terms: item.terms,
    part: { netCondition: 'or', childrenCondition: 'or' },
  })
  expect(changed.part.columnSchema).toBeUndefined()
  expect(withKind(item, 'property', '')).toBe(item)
})
