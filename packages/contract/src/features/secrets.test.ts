import { expect, test } from 'vitest'
import { rotateDeviceSecret, rotateProductSecret } from './secrets.ts'

const grace = (graceSeconds?: unknown) =>
  rotateDeviceSecret.body.safeParse({ productID: 'p', deviceName: 'd', graceSeconds }).data?.graceSeconds

test('the grace of a rotation is a day unless said otherwise, none at least and 30 days at most', () => {
  expect([grace(), grace(0), grace('3600'), grace(2_592_000)]).toEqual([86_400, 0, 3_600, 2_592_000])
  expect([grace(-1), grace(2_592_001), grace(1.5)]).toEqual([undefined, undefined, undefined])
  expect(rotateProductSecret.body.parse({ productID: '12345678901' })).toHaveProperty('graceSeconds', 86_400)
})
