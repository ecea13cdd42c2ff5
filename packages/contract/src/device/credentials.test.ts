import { expect, test } from 'vitest'
import { clientIDOf, passwordOf, randomConnID, SignMethod, signText, userNameOf } from './credentials.ts'

// The test vectors of device-protocol.md 11.
const secret = 'AAECAwQFBgcICQoLDA0ODxAREhM='
const userName = '254pwnKQsvKtest5;12010126;ABCDE;1700000000'

test('device-protocol.md 2: the user name holds the client id, the fixed app id, connid and expiry', () => {
  const clientID = clientIDOf({ productID: '254pwnKQsvK', deviceName: 'test5' })
  expect(clientID).toBe('254pwnKQsvKtest5')
  expect(userNameOf(clientID, 'ABCDE', 1_700_000_000)).toBe(userName)
})

test('device-protocol.md 11: the password by HMAC-SHA256', () => {
  expect(passwordOf(userName, secret, SignMethod.sha256)).toBe(
    '3c225c0a16eda6be250ec33f72603ca70aa76187e0356599cbb2c61b28cae0ee;hmacsha256',
  )
})

test('device-protocol.md 11: the password by HMAC-SHA1', () => {
  expect(passwordOf(userName, secret, SignMethod.sha1)).toBe('f4a6802da890fdfbef9f76928895d24492b26e85;hmacsha1')
})

test('device-protocol.md 11: the same signature serves the binding of a sub-device', () => {
  expect(signText('255fCKEJ02I;sub1;12345;1589786839', secret, SignMethod.sha256)).toBe(
    'd7fed2fe2567e41d5f3ae784067b7fb8388d1338d203e299d94cd659a1b87bc6',
  )
})

test('a connid is five capital letters or digits and differs each time', () => {
  const many = Array.from({ length: 50 }, randomConnID)
  for (const one of many) expect(one).toMatch(/^[A-Z0-9]{5}$/)
  expect(new Set(many).size).toBeGreaterThan(45)
})

test('a secret that is not Base64 is refused', () => {
  expect(() => signText('text', 'not base64!', SignMethod.sha256)).toThrow()
})
