import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { clientAddress, type TrustProxy } from './client-address.ts'

const request = (remoteAddress: string, forwarded?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }) as unknown as IncomingMessage

test.each([
  ['nobody is believed', false, '10.0.0.1', '1.2.3.4', '10.0.0.1'],
  ['one proxy is believed, not what the caller wrote', 1, '10.0.0.1', '1.2.3.4, 5.6.7.8', '5.6.7.8'],
  ['two proxies in a row are believed', 2, '10.0.0.1', '9.9.9.9, 1.2.3.4, 5.6.7.8', '1.2.3.4'],
  ['a listed proxy is believed', '10.0.0.1', '10.0.0.1', '1.2.3.4, 5.6.7.8', '5.6.7.8'],
  ['a listed network is believed', '10.0.0.0/8, 5.6.7.0/24', '::ffff:10.0.0.1', '1.2.3.4, 5.6.7.8', '1.2.3.4'],
  ['a stranger is not', '10.0.0.1', '10.0.0.2', '1.2.3.4', '10.0.0.2'],
  ['IPv6', '2001:db8::/32', '2001:db8::1', '2001:db9::7', '2001:db9::7'],
  ['without a header', 1, '::1', undefined, '::1'],
] as [string, TrustProxy, string, string | undefined, string][])(
  'who is behind proxies: %s',
  (_what, trust, remote, forwarded, wanted) => {
    expect(clientAddress(request(remote, forwarded), trust)).toBe(wanted)
  },
)
