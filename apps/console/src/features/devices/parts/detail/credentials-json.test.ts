import { expect, test } from 'vitest'
import { credentialsJson } from './credentials-json.ts'

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
