import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { clientAddress } from './client-address.ts'

const request = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage

test.each([
  ['nobody is believed', false, '10.0.0.1', '1.2.3.4', '10.0.0.1'],
  ['everybody is believed', true, '10.0.0.1', '1.2.3.4, 5.6.7.8', '1.2.3.4'],
  ['a listed proxy is believed', '10.0.0.1', '10.0.0.1', '1.2.3.4, 5.6.7.8', '5.6.7.8'],
  ['a listed network is believed', '10.0.0.0/8, 5.6.7.0/24', '::ffff:10.0.0.1', '1.2.3.4, 5.6.7.8', '1.2.3.4'],
  ['a stranger is not', '10.0.0.1', '10.0.0.2', '1.2.3.4', '10.0.0.2'],
  ['IPv6', '2001:db8::/32', '2001:db8::1', '2001:db9::7', '2001:db9::7'],
  ['without a header', true, '::1', undefined, '::1'],
])('%s', (_what, trust, remote, forwarded, wanted) => {
  expect(clientAddress(request(remote, forwarded), trust)).toBe(wanted)
})
