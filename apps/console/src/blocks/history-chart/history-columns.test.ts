import { DataType } from '@ithings/contract/thing-model/define.ts'
import type { Property } from '@ithings/contract/thing-model/model.ts'
import { expect, test } from 'vitest'
import { historyColumns } from './history-columns.ts'

const property = (identifier: string, define: Property['define']): Property =>
  ({ identifier, name: `名-${identifier}`, define }) as Property
const heat = property('heat', { type: DataType.float, unit: '℃' })
const on = property('on', { type: DataType.bool, mapping: { 0: '关', 1: '开' } })
const note = property('note', { type: DataType.string })

test('numbers alone are a column of numbers; a switch has its words, as it travels', () => {
  const valueColumn = (properties: Property[]) => historyColumns(properties).find(({ key }) => key === 'value')
  expect(valueColumn([heat])).toMatchObject({ type: 'number' })
  expect(valueColumn([heat, on])).toMatchObject({ per: 'dataID', labels: { 'on:true': '开', 'on:false': '关' } })
  expect(historyColumns([heat, on, note]).at(-1)).toMatchObject({ head: '单位', labels: { heat: '℃', on: '' } })
})
