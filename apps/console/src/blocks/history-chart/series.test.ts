import type { PropertyLogRow } from '@ithings/contract/features/history.ts'
import { expect, test } from 'vitest'
import { buildSeries, type HistoryProperty, shortestUsualPause } from './series.ts'

const minute = 60_000
const pressure: HistoryProperty = { identifier: 'p', name: '压力', define: { type: 'float', unit: 'MPa' } }
const pump: HistoryProperty = {
  identifier: 'on',
  name: '水泵',
  define: { type: 'bool', mapping: { 0: '停', 1: '转' } },
}

const row = (at: number, value: string, more: Partial<PropertyLogRow> = {}): PropertyLogRow => ({
  dataID: 'p',
  deviceName: 'd1',
  timestamp: String(at * minute),
  value,
  ...more,
})

const raw = { properties: [pressure], deviceNames: ['d1'], interval: 0, func: 'avg' as const }

test('rows become one line for each device and property, in time order whatever order they came in', () => {
  const lines = buildSeries({
    ...raw,
    properties: [pressure, pump],
    deviceNames: ['d1', 'd2'],
    rows: [row(2, '2'), row(1, '1'), row(1, 'true', { dataID: 'on', deviceName: 'd2' })],
  })
  expect(lines.map(({ key, name }) => [key, name])).toEqual([
    ['d1/p', '压力 · d1'],
    ['d1/on', '水泵 · d1'],
    ['d2/p', '压力 · d2'],
    ['d2/on', '水泵 · d2'],
  ])
  expect(lines[0]?.points).toEqual([
    [minute, 1],
    [2 * minute, 2],
  ])
  expect(lines[3]?.points).toEqual([[minute, 1]])
})

test('look.md 15: a missing bucket leaves the line open', () => {
  const [line] = buildSeries({ ...raw, interval: minute, rows: [row(1, '1'), row(2, '2'), row(5, '3')] })
  expect(line?.points).toEqual([
    [minute, 1],
    [2 * minute, 2],
    [3.5 * minute, null],
    [5 * minute, 3],
  ])
})

const every = (step: number, count: number) => Array.from({ length: count }, (_, at) => at * step)
const bucket = (at: number, count = '1') => row(at, '1', { values: { count } })
const breaks = (rows: PropertyLogRow[]) =>
  buildSeries({ ...raw, interval: 5 * minute, rows })[0]?.points.filter(([, value]) => value === null).length

test('buckets that are finer than the values leave no gap between them, nor does a late value', () => {
  expect(breaks(every(15, 96).map((at) => bucket(at)))).toBe(0)
  expect(breaks([0, 5, 10, 20, 25, 30].map((at) => bucket(at)))).toBe(0)
  // It spoke every quarter of an hour before it spoke every five minutes.
  expect(breaks([0, 15, 30, 45, 50, 55, 60, 65, 70, 75].map((at) => bucket(at)))).toBe(0)
  // A pause of several values, and a missing bucket among full ones, are gaps.
  expect(breaks([0, 15, 30, 75, 90, 105].map((at) => bucket(at)))).toBe(1)
  expect(breaks([0, 5, 10, 20, 25, 30].map((at) => bucket(at, '30')))).toBe(1)
})

test('the usual pause is that of the line with most values; a few values have none', () => {
  const slow = every(15, 96).map((at) => bucket(at))
  const fast = every(5, 50).map((at) => ({ ...bucket(at), dataID: 'on' }))
  expect(shortestUsualPause(slow)).toBe(15 * minute)
  expect(shortestUsualPause([...slow, ...fast].toReversed())).toBe(5 * minute)
  expect(shortestUsualPause(slow.slice(0, 3))).toBe(0)
})

test('raw values are broken only by a pause far longer than usual', () => {
  const times = [1, 2, 3, 4, 6, 60]
  const [line] = buildSeries({ ...raw, rows: times.map((at) => row(at, '1')) })
  expect(line?.points.filter(([, value]) => value === null)).toEqual([[33 * minute, null]])
})

test('raw values are summed up as they are', () => {
  const [line] = buildSeries({ ...raw, rows: [row(1, '1'), row(2, '4'), row(3, '1')] })
  expect(line?.stats).toEqual({ count: 3, min: 1, max: 4, avg: 2, last: 1 })
})

test('figures of buckets are those of the values in them, not of the averages', () => {
  const values = (avg: string, min: string, max: string, count: string, last: string) => ({
    avg,
    min,
    max,
    count,
    last,
  })
  const [line] = buildSeries({
    ...raw,
    interval: minute,
    func: 'max',
    rows: [
      row(1, '2', { values: values('2', '1', '3', '3', '2') }),
      row(2, '10', { values: values('10', '9', '11', '1', '10') }),
    ],
  })
  expect(line?.stats).toEqual({ count: 4, min: 1, max: 11, avg: 4, last: 10 })
  expect(line?.points.map(([, value]) => value)).toEqual([3, 11])
})

test('counts are numbers even of what has none', () => {
  const [line] = buildSeries({
    ...raw,
    properties: [{ ...pressure, define: { type: 'string' } }],
    interval: minute,
    func: 'count',
    rows: [row(1, '7', { values: { count: '7' } })],
  })
  expect(line?.points).toEqual([[minute, 7]])
})

test('a property without rows is a line without points', () => {
  const [line] = buildSeries({ ...raw, rows: [] })
  expect(line).toMatchObject({ points: [], stats: { count: 0, min: null, max: null, avg: null, last: null } })
})
