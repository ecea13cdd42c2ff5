import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { passwordMatches, registrationMatches, sealCredentials } from './signatures.ts'

// The test vectors of device-protocol.md 11.
const secret = 'AAECAwQFBgcICQoLDA0ODxAREhM='
const productSecret = 'ExIREA8ODQwLCgkIBwYFBAMCAQA='
const userName = '254pwnKQsvKtest5;12010126;ABCDE;1700000000'
const sha256 = '3c225c0a16eda6be250ec33f72603ca70aa76187e0356599cbb2c61b28cae0ee;hmacsha256'
const sha1 = 'f4a6802da890fdfbef9f76928895d24492b26e85;hmacsha1'
const asked = { deviceName: 'dev1', nonce: 123, productID: '254pwnKQsvK', timestamp: 1_687_525_491 }

test('device-protocol.md 11: login by HMAC-SHA256 and by HMAC-SHA1', () => {
  expect(passwordMatches(userName, sha256, secret)).toBe(true)
  expect(passwordMatches(userName, sha1, secret)).toBe(true)
})

test.each([
  ['another user name', `${userName}0`, sha256],
  ['a wrong method', userName, sha256.replace('sha256', 'sha1')],
  ['an unknown method', userName, sha256.replace('hmacsha256', 'none')],
  ['a member of objects as method', userName, `${sha256.split(';')[0]};constructor`],
  ['no method', userName, sha256.split(';')[0] ?? ''],
  ['a third part', userName, `${sha256};x`],
  ['a changed letter', userName, sha256.replace('3c', '3d')],
  ['nothing', userName, ''],
])('a password with %s is refused', (_what, name, password) => {
  expect(passwordMatches(name, password, secret)).toBe(false)
})

test('a device without a secret cannot sign in', () => {
  const password = `${createHmac('sha256', '').update(userName).digest('hex')};hmacsha256`
  expect(passwordMatches(userName, password, '')).toBe(false)
})

test.each([
  ['productId, Base64 of the hex text', 'MTkxYzE2MTM3ZmEzYzcyNzkwNzI2ODhhNjQ2NGY5MzA4Zjc5NWVlYg=='],
  ['productID, Base64 of the hex text', 'NjRhMDRiNzc2N2VhYmZmMDMzMDliMmE0ZWQ4YTBhZmQxMzE0NzU3Zg=='],
  ['productId, Base64 of the bytes', Buffer.from('191c16137fa3c7279072688a6464f9308f795eeb', 'hex').toString('base64')],
])('device-protocol.md 11: a registration signed with %s', (_form, signature) => {
  expect(registrationMatches({ ...asked, signature }, productSecret)).toBe(true)
  expect(registrationMatches({ ...asked, nonce: 124, signature }, productSecret)).toBe(false)
  expect(registrationMatches({ ...asked, signature }, secret)).toBe(false)
})

test('a product without a secret registers nobody', () => {
  const text = 'deviceName=dev1&nonce=123&productId=254pwnKQsvK&timestamp=1687525491'
  const signature = Buffer.from(createHmac('sha1', '').update(text).digest('hex')).toString('base64')
  expect(registrationMatches({ ...asked, signature }, '')).toBe(false)
})

test('device-protocol.md 11: the answer to a registration', () => {
  expect(sealCredentials(secret, productSecret)).toEqual({
    len: 88,
    payload:
      'KJgbs6i+mRIwHlD9kWBIhwJ5zaCo1ysRfKmITVRzaoofNr14qdOdOxSuZOWetid+8mDjrDm3wzoYfOSMUThfnPYZu7P6L2ZWfxoj+dIWuUriq89C+W+aNzX3uBOma8mu',
  })
})
