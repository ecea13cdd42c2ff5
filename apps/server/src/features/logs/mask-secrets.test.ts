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

test('the key of a webhook or robot is masked in its address, the host stays readable', () => {
  const url = 'https://oapi.dingtalk.com/robot/send?access_token=hidden'
  expect(JSON.parse(toLogText({ settings: { url } }))).toEqual({
    settings: { url: 'https://oapi.dingtalk.com/******' },
  })
  for (const kept of ['https://example.com/', 'not an address', '']) {
    expect(JSON.parse(toLogText({ url: kept }))).toEqual({ url: kept })
  }
})

test('a pair whose key names a secret is masked, other pairs are not', () => {
  const tags = [
    { key: 'Authorization', value: 'hidden' },
    { key: 'X-Api-Key', value: 'hidden' },
    { key: 'Accept-Language', value: 'zh' },
  ]
  const masked = JSON.parse(toLogText({ tags })) as { tags: { value: string }[] }
  expect(masked.tags.map((one) => one.value)).toEqual(['******', '******', 'zh'])
})

test('the values of headers are masked whatever their names', () => {
  const settings = { headers: [{ key: 'X-Route', value: 'hidden' }, { key: 'X-Empty', value: '' }, 'odd', null] }
  expect(JSON.parse(toLogText({ settings }))).toEqual({
    settings: { headers: [{ key: 'X-Route', value: '******' }, { key: 'X-Empty', value: '' }, 'odd', null] },
  })
})

test('secrets inside JSON texts are masked, the text stays JSON', () => {
  const actions = JSON.stringify([{ executor: 'notify', notify: { url: 'https://a.b/c?d=hidden', secret: 'hidden' } }])
  const masked = JSON.parse(toLogText({ actions })) as { actions: string }
  expect(JSON.parse(masked.actions)).toEqual([
    { executor: 'notify', notify: { url: 'https://a.b/******', secret: '******' } },
  ])
  for (const note of ['{not json', '{ "kept": 1.0 }']) expect(JSON.parse(toLogText({ note }))).toEqual({ note })
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
