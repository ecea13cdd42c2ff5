import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { eventually } from '#testing/eventually.ts'
import { isAlive } from './pid-file.ts'
import { kill, makeReady, makeScratch, postmasterOf, query } from './testing/scratch.ts'

let scratch: Awaited<ReturnType<typeof makeScratch>>
let dataDir: string
beforeEach(async () => {
  scratch = await makeScratch()
  dataDir = join(scratch.root, 'data')
})
afterEach(() => scratch.clear())

let ready: Awaited<ReturnType<typeof makeReady>>
beforeAll(async () => {
  ready = await makeReady()
})
afterAll(() => ready.clear())
const layReady = () => ready.layInto(dataDir)

const remember = (url: string, value: number) =>
  query(url, `create table if not exists kept (n int); insert into kept values (${value})`)
const remembered = async (url: string) =>
  (await query<{ n: number }>(url, 'select n from kept order by n')).map((r) => r.n)

describe('a first start', () => {
  test('makes a durable UTF-8 database that listens on no network address', async () => {
    const { connectionString, where, adopted } = await scratch.start(dataDir)
    expect(adopted).toBe(false)
    expect(where).toBe(join(dataDir, 'postgres'))
    const rows = await query(
      connectionString,
      `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes',
         'listen_addresses', 'server_encoding', 'max_connections', 'TimeZone') order by name collate "C"`,
    )
    expect(Object.fromEntries(rows.map((row) => [row.name, row.setting]))).toEqual({
      TimeZone: 'UTC',
      fsync: 'on',
      full_page_writes: 'on',
      listen_addresses: '',
      max_connections: '100',
      server_encoding: 'UTF8',
      synchronous_commit: 'on',
    })
    expect(await query(connectionString, `select current_database() as db, upper('é设备') as up`)).toEqual([
      { db: 'ithings', up: 'É设备' },
    ])
  })

  test('keeps the password and the socket away from other users and refuses a wrong password', async () => {
    const { connectionString, where } = await scratch.start(dataDir)
    expect((await stat(join(where, 'password'))).mode & 0o777).toBe(0o600)
    expect((await stat(join(where, 'socket'))).mode & 0o777).toBe(0o700)
    expect((await stat(join(where, 'cluster'))).mode & 0o777).toBe(0o700)
    await expect(query(connectionString.replace(/:[0-9a-f]+@/, ':wrong@'), 'select 1')).rejects.toMatchObject({
      code: '28P01',
    })
  })

  test('over TCP listens on loopback only', async () => {
    const { connectionString } = await scratch.start(dataDir, { tcp: true })
    expect(new URL(connectionString).hostname).toBe('127.0.0.1')
    expect(await query(connectionString, `select setting from pg_settings where name = 'listen_addresses'`)).toEqual([
      { setting: '127.0.0.1' },
    ])
  })

  test('by two processes at once is won by exactly one', async () => {
    const held = await Promise.all([scratch.hold(dataDir), scratch.hold(dataDir)])
    const errors = held.flatMap(({ said }) => said.error ?? [])
    expect(errors).toHaveLength(1)
    expect(errors[0]).toContain('already uses the data folder')
    for (const { child } of held) await kill(child)
    await scratch.start(dataDir)
  })
})

describe('a later start', () => {
  beforeEach(layReady)

  test('finds the data of the one before, and stop leaves no process', async () => {
    const first = await scratch.start(dataDir)
    await remember(first.connectionString, 1)
    const pid = await postmasterOf(first.where)
    expect(isAlive(pid)).toBe(true)
    await first.stop()
    await expect.poll(() => isAlive(pid)).toBe(false)
    const second = await scratch.start(dataDir)
    expect(second.adopted).toBe(false)
    expect(await remembered(second.connectionString)).toEqual([1])
  })

  test('after kill -9 of the server process adopts the running PostgreSQL and stops it at the end', async () => {
    const { child, said } = await scratch.hold(dataDir)
    await remember(said.connectionString ?? '', 7)
    const pid = await postmasterOf(join(dataDir, 'postgres'))
    await kill(child)
    const next = await scratch.start(dataDir)
    expect(next.adopted).toBe(true)
    expect(await postmasterOf(next.where)).toBe(pid)
    expect(await remembered(next.connectionString)).toEqual([7])
    await next.stop()
    await expect.poll(() => isAlive(pid)).toBe(false)
  })

  test('after kill -9 of the server process and PostgreSQL recovers what was committed', async () => {
    const { child, said } = await scratch.hold(dataDir)
    await remember(said.connectionString ?? '', 8)
    const pid = await postmasterOf(join(dataDir, 'postgres'))
    await kill(child)
    process.kill(pid, 'SIGKILL')
    const next = await scratch.start(dataDir)
    expect(next.adopted).toBe(false)
    expect(await remembered(next.connectionString)).toEqual([8])
  })

  test('adopts a PostgreSQL that has not yet written where its socket is', async () => {
    const { child } = await scratch.hold(dataDir)
    const pidFile = join(dataDir, 'postgres', 'cluster', 'postmaster.pid')
    const whole = await readFile(pidFile, 'utf8')
    await writeFile(pidFile, `${whole.split('\n').slice(0, 4).join('\n')}\n`)
    await kill(child)
    const [server] = await Promise.all([
      scratch.start(dataDir),
      new Promise((resolve) => setTimeout(resolve, 300)).then(() => writeFile(pidFile, whole)),
    ])
    expect(server.adopted).toBe(true)
  })

  test('beside a running server is refused with its process number and disturbs nothing', async () => {
    const { child, said } = await scratch.hold(dataDir)
    await expect(scratch.start(dataDir)).rejects.toThrow(
      `Another server (process ${child.pid}) already uses the data folder ${dataDir}`,
    )
    expect(await query(said.connectionString ?? '', 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

describe('while the server runs', () => {
  beforeEach(layReady)

  test('a killed PostgreSQL is back within 10 s at the same address with all its data', async () => {
    const server = await scratch.start(dataDir)
    await remember(server.connectionString, 3)
    const pid = await postmasterOf(server.where)
    process.kill(pid, 'SIGKILL')
    await eventually(async () => expect(await remembered(server.connectionString)).toEqual([3]))
    await eventually(() => expect(scratch.lines).toContain('PostgreSQL is back'))
    const revived = await postmasterOf(server.where)
    expect(revived).not.toBe(pid)
    await server.stop()
    await expect.poll(() => isAlive(revived)).toBe(false)
  })

  test('stop right after PostgreSQL was killed ends without an error and without a process', async () => {
    const server = await scratch.start(dataDir)
    const pid = await postmasterOf(server.where)
    process.kill(pid, 'SIGKILL')
    await server.stop()
    await eventually(() => expect(isAlive(pid)).toBe(false))
    await expect(query(server.connectionString, 'select 1')).rejects.toThrow()
  })
})
