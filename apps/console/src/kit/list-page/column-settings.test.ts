import { expect, test } from 'vitest'
import { defaultSettings, fitSettings, moveColumn } from './column-settings.ts'

const columns = [
  { key: 'name', title: '名称', hideable: false },
  { key: 'kind', title: '类型' },
  { key: 'time', title: '时间', hiddenAtFirst: true },
]

test('at first the columns stand in their own order and the quiet ones are hidden', () => {
  expect(defaultSettings(columns)).toEqual({ order: ['name', 'kind', 'time'], hidden: ['time'] })
})

test('a column that is gone drops out and a new one comes at its own place', () => {
  const settings = fitSettings({ order: ['time', 'gone', 'name'], hidden: [] }, columns)
  expect(settings).toEqual({ order: ['time', 'name', 'kind'], hidden: [] })
})

test('a column that may not be hidden is shown whatever was stored', () => {
  expect(fitSettings({ order: [], hidden: ['name', 'kind'] }, columns).hidden).toEqual(['kind', 'time'])
})

test('moving keeps every column and stays inside the list', () => {
  expect(moveColumn(['a', 'b', 'c'], 'c', 0)).toEqual(['c', 'a', 'b'])
  expect(moveColumn(['a', 'b', 'c'], 'a', 9)).toEqual(['b', 'c', 'a'])
  expect(moveColumn(['a', 'b', 'c'], 'b', -3)).toEqual(['b', 'a', 'c'])
})
