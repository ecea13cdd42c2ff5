import { parseScene } from '@ithings/contract/rules/scene-text.ts'
import { expect, test } from 'vitest'
import { productsOf } from './use-import-names.ts'

test('products of triggers, nested conditions and actions are each named once', () => {
  const schema = { productID: 'meter', deviceName: 'm1', dataID: ['power'], termType: 'gt', values: ['1'] }
  const parts = parseScene({
    triggerType: 'device',
    trigger: JSON.stringify([{ productID: 'pump', operator: 'connected' }]),
    when: JSON.stringify([
      { columnType: 'group', terms: [{ columnType: 'property', columnSchema: schema, netCondition: 'or' }] },
    ]),
    then: JSON.stringify([
      { executor: 'device', device: { productID: 'valve', selector: 'all', type: 'propertyControl', value: '{}' } },
      {
        executor: 'device',
        device: { productID: 'pump', selector: 'trigger', type: 'action', dataID: 'stop', value: '{}' },
      },
      { executor: 'alarm', alarm: { mode: 'trigger' } },
    ]),
  })
  expect(productsOf(parts)).toEqual(['meter', 'pump', 'valve'])
})
