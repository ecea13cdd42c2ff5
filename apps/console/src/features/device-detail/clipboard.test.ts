import { expect, test } from 'vitest'
import { credentialsJson, identityJson } from './clipboard.ts'

test('screens.md 6.1: name, product and secret as JSON, and nothing else of the device', () => {
  const device = { productID: 'PS3kQ8ZpVn0', deviceName: 'a:1@x', secret: 'c2VjcmV0', address: '不在其中' }
  expect(JSON.parse(identityJson(device))).toEqual({
    productID: 'PS3kQ8ZpVn0',
    deviceName: 'a:1@x',
    secret: 'c2VjcmV0',
  })
})

test('screens.md 6.3: the names that MQTT clients use, and no device secret', () => {
  const device = { productID: '254pwnKQsvK', deviceName: 'test5', secret: 'AAECAwQFBgcICQoLDA0ODxAREhM=' }
  const text = credentialsJson({ device, clientID: '254pwnKQsvKtest5', userName: 'u;1', password: 'p;hmacsha1' })
  expect(JSON.parse(text)).toEqual({
    productID: '254pwnKQsvK',
    deviceName: 'test5',
    clientId: '254pwnKQsvKtest5',
    username: 'u;1',
    password: 'p;hmacsha1',
  })
})
