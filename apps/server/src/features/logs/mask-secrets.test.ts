import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toLogText } from './mask-secrets.ts'

test.each([
  'password',
  'oldPassword',
  'newPasswd',
  'pwd',
  'secret',
  'productSecret',
  'deviceSecret',
  'token',
  'accessToken',
  'psk',
  'accessKey',
  'Authorization',
  'privateKey',
  'signature',
])('%s is masked at any depth', (name) => {
  const text = toLogText({ [name]: 'hidden-value', deep: [{ [name]: { inner: 'hidden-value' } }], kept: 'shown' })
  expect(text).not.toContain('hidden-value')
  expect(JSON.parse(text)).toEqual({ [name]: '******', deep: [{ [name]: '******' }], kept: 'shown' })
})

test('names that only begin like a secret stay readable, an empty secret stays empty', () => {
  const harmless = { passengers: 3, pwdType: 2, userName: 'x', password: '' }
  expect(JSON.parse(toLogText(harmless))).toEqual(harmless)
})

test('nothing, text, numbers and lists become JSON too', () => {
  expect(toLogText(undefined)).toBe('{}')
  expect(toLogText(null)).toBe('{}')
  expect(toLogText('x')).toBe('"x"')
  expect(toLogText([1])).toBe('[1]')
})

test('whatever is logged is valid JSON of bounded length', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 20 }), fc.nat(40_000), (value, length) => {
      const text = toLogText({ value, filler: '长"\\'.repeat(length / 3) })
      JSON.parse(text)
      expect(text.length).toBeLessThanOrEqual(20_000)
    }),
  )
})
