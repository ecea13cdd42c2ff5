import { expect, test } from 'vitest'
import { identityJson } from './identity.ts'

test('screens.md 6.1: name, product and secret as JSON, and nothing else of the device', () => {
  const device = { productID: 'PS3kQ8ZpVn0', deviceName: 'a:1@x', secret: 'c2VjcmV0', address: '不在其中' }
  expect(JSON.parse(identityJson(device))).toEqual({
    productID: 'PS3kQ8ZpVn0',
    deviceName: 'a:1@x',
    secret: 'c2VjcmV0',
  })
})
