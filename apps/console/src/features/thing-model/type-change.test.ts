import { functionsOf, toAffordance } from '@ithings/contract/thing-model/affordance.ts'
import { readTslText } from '@ithings/contract/thing-model/tsl.ts'
import { expect, test } from 'vitest'
import { draftOf, withType } from './function-draft.ts'
import { pumpStation } from './testing/pump-station.ts'
import { isTypeChange } from './type-change.ts'

const part = functionsOf(readTslText(pumpStation).model).find((one) => one.value.identifier === 'freq')

const setUp = () => {
  if (!part) throw new Error('the sample model has lost its frequency')
  const { identifier, name, desc } = part.value
  const item = { productID: 'p', type: part.type, tag: 1, identifier, name, desc, required: 2 }
  return { item: { ...item, affordance: toAffordance(part) }, draft: draftOf(part) }
}

test('another limit or unit is no change of type', () => {
  const { item, draft } = setUp()
  expect(isTypeChange(item, { ...draft, define: { ...draft.define, max: '60', unit: '赫兹' } })).toBe(false)
})

test('another data type is one, however it is reached', () => {
  const { item, draft } = setUp()
  expect(isTypeChange(item, { ...draft, define: withType(draft.define, 'float') })).toBe(true)
  const back = withType(withType(draft.define, 'float'), 'int')
  expect(isTypeChange(item, { ...draft, define: back })).toBe(false)
})
