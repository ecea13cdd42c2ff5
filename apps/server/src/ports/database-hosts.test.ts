import { expect, test } from 'vitest'
import { DatabaseUrlError, databaseHosts } from './database-hosts.ts'

test('an address with one host is left alone', () => {
  for (const url of [
    'postgres://u:p@db:5432/ithings',
    'postgres://u@localhost/ithings?sslmode=require',
    'postgres://u@/ithings?host=/run/a,b',
    'socket:/run/postgresql?db=ithings',
  ])
    expect(databaseHosts(url)).toBeUndefined()
})

test('several hosts are one address each, with the account, the database and all other parameters', () => {
  expect(
    databaseHosts('postgresql://u:p%40w@a:5433,b,[::1]:5434/db?target_session_attrs=read-write&sslmode=require'),
  ).toEqual([
    { name: 'a:5433', connectionString: 'postgresql://u:p%40w@a:5433/db?sslmode=require' },
    { name: 'b', connectionString: 'postgresql://u:p%40w@b/db?sslmode=require' },
    { name: '[::1]:5434', connectionString: 'postgresql://u:p%40w@[::1]:5434/db?sslmode=require' },
  ])
  expect(databaseHosts('postgres://u:p@a,b/db')?.map(({ name }) => name)).toEqual(['a', 'b'])
})

test('one host that must take writes is asked, too', () => {
  expect(databaseHosts('postgres://u:p@vip/db?target_session_attrs=primary')).toEqual([
    { name: 'vip', connectionString: 'postgres://u:p@vip/db' },
  ])
})

test.each([
  ['postgres://u:p@a,b/db?target_session_attrs=standby', 'not standby'],
  ['postgres://u:p@a,b/db?target_session_attrs=any', 'not any'],
  ['postgres://u:p@a,,b/db', '“” is not a host'],
  ['postgres://u:p@a:port,b/db', '“a:port” is not a host'],
])('%s is refused and says why', (url, why) => {
  expect(() => databaseHosts(url)).toThrow(DatabaseUrlError)
  expect(() => databaseHosts(url)).toThrow(why)
  // Passwords are for no log.
  expect(() => databaseHosts(url)).not.toThrow('u:p')
})
