import { readTslText } from '@ithings/contract/thing-model/tsl.ts'
import { expect, test } from 'vitest'
import { countGroup, filterRows, lastReport, propertyRows, silenceText, staleAfter } from './property-rows.ts'

const { model } = readTslText(
  JSON.stringify({
    properties: [
      { identifier: 'level', name: '液位', mode: 'r', define: { type: 'float', unit: 'm' } },
      { identifier: 'lamp', name: '灯', mode: 'rw', define: { type: 'bool', mapping: { 0: '关', 1: '开' } } },
      { identifier: 'note', name: '备注', mode: 'rw', define: { type: 'string', max: '64' } },
    ],
  }),
)
const now = 1_700_000_000_000
const latest = [
  { dataID: 'level', value: '2.4', timestamp: String(now - 3000) },
  { dataID: 'lamp', value: 'true', timestamp: String(now - 24 * 3_600_000) },
  { dataID: 'note', value: '', timestamp: '0' },
  { dataID: 'removed', value: '1', timestamp: String(now) },
]
const rowsOf = (values: typeof latest, online = true) => propertyRows(model, values, { online, now })

test('screens.md 6.2: every declared property has a row, also those that never reported', () => {
  expect(rowsOf([]).map(({ property, freshness, text }) => [property.identifier, freshness, text])).toEqual([
    ['level', 'never', ''],
    ['lamp', 'never', ''],
    ['note', 'never', ''],
  ])
  expect(rowsOf(latest).map(({ text }) => text)).toEqual(['2.4', 'true', ''])
})

test('a reading grows stale, a setting stays true until it changes', () => {
  const old = latest.map((row) => ({ ...row, timestamp: row.timestamp === '0' ? '0' : String(now - staleAfter - 1) }))
  expect(rowsOf(old).map(({ freshness }) => freshness)).toEqual(['stale', 'fresh', 'never'])
})

test('nothing of an offline device is fresh', () => {
  expect(rowsOf(latest, false).map(({ freshness }) => freshness)).toEqual(['stale', 'stale', 'never'])
})

test('groups and search choose by mode, freshness, name and identifier', () => {
  const rows = rowsOf(latest)
  expect([countGroup(rows, 'all'), countGroup(rows, 'writable'), countGroup(rows, 'odd')]).toEqual([3, 2, 1])
  const found = (group: 'all' | 'writable' | 'odd', search: string) =>
    filterRows(rows, group, search).map(({ property }) => property.identifier)
  expect(found('all', ' LEV ')).toEqual(['level'])
  expect(found('all', '灯')).toEqual(['lamp'])
  expect(found('writable', 'level')).toEqual([])
  expect(found('odd', '')).toEqual(['note'])
})

test('silence is told in the unit that fits', () => {
  expect(silenceText(now - 42 * 60_000, now)).toBe('已 42 分钟未上报')
  expect(silenceText(now - 5 * 3_600_000, now)).toBe('已 5 小时未上报')
  expect(silenceText(now - 50 * 3_600_000, now)).toBe('已 2 天未上报')
})

test('the last report is the youngest value of all', () => {
  expect(lastReport(latest.slice(0, 3))).toBe(now - 3000)
  expect(lastReport([])).toBe(0)
})
