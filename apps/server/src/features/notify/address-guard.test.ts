import type { LookupAddress } from 'node:dns'
import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { isNetwork, makeAddressGuard, refusalOf } from './address-guard.ts'

const strict = makeAddressGuard([])

test.each([
  '127.0.0.1',
  '127.9.9.9',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.0.1',
  '169.254.169.254',
  '100.100.100.200',
  '168.63.129.16',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '192.0.2.1',
  '198.18.0.1',
  '240.0.0.1',
  '::1',
  '::',
  '::ffff:127.0.0.1',
  '::ffff:10.0.0.1',
  '::ffff:a00:1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'fd00:ec2::254',
  'ff02::1',
  '2001:db8::1',
  'localhost',
  '',
])('%s is refused', (address) => {
  expect(strict.allows(address)).toBe(false)
})

test.each(['8.8.8.8', '172.32.0.1', '100.63.0.1', '2606:4700:4700::1111', '::ffff:8.8.8.8'])(
  '%s is allowed',
  (address) => {
    expect(strict.allows(address)).toBe(true)
  },
)

test('addresses of this machine are refused whatever they look like', () => {
  for (const { address } of Object.values(networkInterfaces()).flatMap((list) => list ?? [])) {
    expect(strict.allows(address), address).toBe(false)
  }
})

test('what WEBHOOK_ALLOW names is allowed, and nothing beside it', () => {
  const guard = makeAddressGuard(['10.0.0.0/8', '192.168.1.5', 'fd12::/16', '::ffff:172.16.0.0/112'])
  for (const address of ['10.255.0.1', '::ffff:10.0.0.1', '192.168.1.5', 'fd12::9', '172.16.3.4']) {
    expect(guard.allows(address), address).toBe(true)
  }
  for (const address of ['127.0.0.1', '192.168.1.6', 'fd13::9', '172.17.0.1']) {
    expect(guard.allows(address), address).toBe(false)
  }
})

test('networks and addresses are told from other texts', () => {
  for (const text of ['10.0.0.0/8', '10.0.0.1', '::/0', 'fd00::/8']) expect(isNetwork(text), text).toBe(true)
  for (const text of ['', 'host', '10.0.0.0/33', '10.0.0.0/-1', '10.0.0.0/8/9'])
    expect(isNetwork(text), text).toBe(false)
})

const ask = (answers: LookupAddress[], all: boolean) =>
  new Promise<unknown>((resolve, reject) => {
    const guard = makeAddressGuard(['10.0.0.0/8'], ((
      _host: string,
      _options: object,
      done: (e: null, a: LookupAddress[]) => void,
    ) => done(null, answers)) as never)
    guard.lookup('any.example.com', { all }, (error, address) => (error ? reject(error) : resolve(address)))
  })

test('of a name with several addresses only the allowed ones are used', async () => {
  const answers = [
    { address: '127.0.0.1', family: 4 },
    { address: '10.0.0.7', family: 4 },
    { address: '8.8.8.8', family: 4 },
  ]
  expect(await ask(answers, true)).toEqual(answers.slice(1))
  expect(await ask(answers, false)).toBe('10.0.0.7')
})

test('a name with refused addresses only is refused, with the name and the way out', async () => {
  await expect(ask([{ address: '::ffff:127.0.0.1', family: 6 }], true)).rejects.toThrow(
    /any\.example\.com.*WEBHOOK_ALLOW/,
  )
})

test('an address is judged before anything is sent: by what its name stands for, and not when nobody knows that', async () => {
  const resolving = (answer: Error | string) =>
    makeAddressGuard(['10.0.0.0/8'], ((_host: string, _options: object, done: (...all: unknown[]) => void) =>
      answer instanceof Error ? done(answer) : done(null, [{ address: answer, family: 4 }])) as never)
  const url = 'https://hook.example.com/key'
  expect(await refusalOf(resolving('192.168.1.1'), url)).toMatchObject({ values: { host: 'hook.example.com' } })
  expect(await refusalOf(resolving('10.0.0.7'), url)).toBeUndefined()
  expect(await refusalOf(resolving(new Error('ENOTFOUND')), url)).toBeUndefined()
  expect(await refusalOf(resolving('8.8.8.8'), 'http://[::1]:9/')).toMatchObject({ values: { host: '::1' } })
  expect(await refusalOf(resolving('192.168.1.1'), '')).toBeUndefined()
})
