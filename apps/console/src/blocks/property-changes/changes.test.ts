import type { Property } from '@ithings/contract/thing-model/model.ts'
import { expect, test } from 'vitest'
import { changed, changesOf, reportedValues, withChosen, withReported } from './changes.ts'

const property = (identifier: string, name: string, define: Property['define']) =>
  ({ identifier, name, mode: 'rw', define }) as Property

const properties = [
  property('power', '电源', { type: 'bool', mapping: { 0: '关', 1: '开' } }),
  property('level', '开度', { type: 'int', min: '0', max: '100', unit: '%' }),
  property('note', '备注', { type: 'string', max: '20' }),
]
const latest = [
  { dataID: 'power', value: 'true', timestamp: '1700000000000' },
  { dataID: 'level', value: '40', timestamp: '1700000000000' },
  { dataID: 'note', value: '', timestamp: '0' },
]

test('only what the device has reported is a value to begin with', () => {
  expect(reportedValues(properties, latest)).toEqual({ power: true, level: 40 })
})

test('what would change is named with its old and new value; what stays is left out', () => {
  const reported = reportedValues(properties, latest)
  expect(changesOf(properties, reported, { power: true, level: 60, note: '试', old: 1 })).toEqual([
    { name: '开度', from: '40 %', to: '60 %' },
    { name: '备注', from: '从未上报', to: '试' },
    { name: 'old', from: '从未上报', to: '1' },
  ])
})

test('a chosen property begins as it was reported; what was written meanwhile stays', () => {
  const reported = reportedValues(properties, latest)
  const chosen = withChosen({ values: {}, began: {} }, ['power', 'level', 'note'])
  expect(withReported(chosen, reported)).toEqual({
    values: { power: true, level: 40, note: undefined },
    began: { power: true, level: 40 },
  })
  const written = { ...chosen, values: { ...chosen.values, level: 40 } }
  // Somebody said so before the reported value was known: it is sent.
  expect(changed(properties, withReported(written, reported)).sent).toEqual({ level: 40 })
})

test('a request that is shown again is sent as it is, also when the device is so already', () => {
  expect(changed(properties, { values: { level: 40 }, began: {} })).toMatchObject({ sent: { level: 40 }, none: false })
})
