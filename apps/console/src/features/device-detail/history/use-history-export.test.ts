import { DataType } from '@ithings/contract/thing-model/define.ts'
import type { Property } from '@ithings/contract/thing-model/model.ts'
import { expect, test } from 'vitest'
import type { HistoryChoice } from './history-plan.ts'
import { bodiesOf } from './use-history-export.ts'

const property = (identifier: string, define: Property['define']): Property =>
  ({ identifier, name: `名-${identifier}`, define }) as Property
const heat = property('heat', { type: DataType.float, unit: '℃' })
const on = property('on', { type: DataType.bool, mapping: { 0: '关', 1: '开' } })
const note = property('note', { type: DataType.string })
const choice: HistoryChoice = {
  time: { timeStart: '1000', timeEnd: '2000' },
  interval: 'raw',
  func: 'avg',
  properties: [heat, on, note],
  productID: 'p',
  deviceNames: ['d'],
}

test('what is drawn and what is not are asked for, each once', () => {
  expect(bodiesOf(choice, 5000).map(({ dataIDs }) => dataIDs)).toEqual([['heat', 'on'], ['note']])
  expect(bodiesOf({ ...choice, properties: [heat] }, 5000)).toHaveLength(1)
})
