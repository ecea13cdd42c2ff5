import { expect, test } from 'vitest'
import { parseClientID, parseUserName } from './login-name.ts'

const product = '254pwnKQsvK'

test('device-protocol.md 2: both forms of the client id name the same device', () => {
  const device = { productID: product, deviceName: 'test5', registering: false }
  expect(parseClientID(`${product}test5`)).toEqual(device)
  expect(parseClientID(`${product}&test5`)).toEqual(device)
})

test('device-protocol.md 3: register&product&device asks for a registration', () => {
  expect(parseClientID(`register&${product}&dev1`)).toEqual({
    productID: product,
    deviceName: 'dev1',
    registering: true,
  })
})

test.each([
  '',
  product,
  `${product}&`,
  'short&dev',
  `${product}&&dev`,
  `${product}dev;x`,
  `${product}dev/x`,
  `${product}${'d'.repeat(49)}`,
  '254pwnKQ-vKdev',
  `register&${product}dev1`,
  `register&${product}&`,
  'register&',
])('%j is no client id', (clientID) => {
  expect(parseClientID(clientID)).toBeUndefined()
})

test('a device may be called register', () => {
  expect(parseClientID(`${product}register`)).toMatchObject({ deviceName: 'register', registering: false })
})

test('device-protocol.md 2: the user name has four parts', () => {
  const expected = { productID: product, deviceName: 'test5', expiry: 1_700_000_000 }
  expect(parseUserName(`${product}test5;12010126;ABCDE;1700000000`)).toEqual(expected)
  expect(parseUserName(`${product}&test5;12010126;ABCDE;1700000000`)).toEqual(expected)
})

test('an expiry may be the largest number that a device has', () => {
  expect(parseUserName(`${product}test5;12010126;ABCDE;9223372036854775807`)?.expiry).toBe(Number.MAX_SAFE_INTEGER)
})

test.each([
  '',
  `${product}test5`,
  `${product}test5;12010126;ABCDE`,
  `${product}test5;12010126;ABCDE;`,
  `${product}test5;12010126;ABCDE;never`,
  `${product}test5;12010126;ABCDE;-1`,
  `${product}test5;12010126;ABCDE;1e9`,
  `${product}test5;;ABCDE;1700000000`,
  `${product}test5;12010126;;1700000000`,
  `${product}test5;12010126;ABCDE;1700000000;more`,
])('%j is no user name', (userName) => {
  expect(parseUserName(userName)).toBeUndefined()
})
