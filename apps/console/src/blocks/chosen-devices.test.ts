import { expect, test } from 'vitest'
import { chosenOf } from './chosen-devices.ts'

const device = (productID: string, deviceName: string) => ({ productID, deviceName })

test('devices of one product can be sent something together, those of several cannot', () => {
  expect(chosenOf([device('pump', 'P1'), device('pump', 'P2')])).toEqual({
    productID: 'pump',
    deviceNames: ['P1', 'P2'],
  })
  expect(chosenOf([device('pump', 'P1'), device('lamp', 'L1')])).toBeUndefined()
  expect(chosenOf([])).toBeUndefined()
})

test('a filter goes on as it is, when it names the product: what is ticked on the page is only a part of it', () => {
  const filter = { productID: 'pump', status: 1 as const }
  expect(chosenOf([device('pump', 'P1')], filter)).toEqual({ productID: 'pump', deviceNames: [], filter })
  expect(chosenOf([device('pump', 'P1')], { status: 1 })).toBeUndefined()
})
