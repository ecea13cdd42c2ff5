// Where the files may lie: stale files, long paths, folders others cannot enter.
import { spawn, spawnSync } from 'node:child_process'
import { access, chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { canEnter, parsePasswd, pickAccount, spawnIdentity } from './account.ts'
import { findNative, reachablePrograms } from './native.ts'
import { isAlive } from './pid-file.ts'
import { runProgram } from './run-program.ts'
import { kill, makeReady, makeScratch, postmasterOf, query } from './testing/scratch.ts'

const asRoot = process.getuid?.() === 0

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

describe('a postmaster.pid left by a crash', () => {
  const leaveBehind = async (pid: number) => {
    await ready.layInto(dataDir)
    const server = await scratch.start(dataDir)
    const files = ['cluster/postmaster.pid', 'socket/.s.PGSQL.5432.lock'].map((name) => join(server.where, name))
    const texts = await Promise.all(files.map((path) => readFile(path, 'utf8')))
    await server.stop()
    await Promise.all(files.map((path, i) => writeFile(path, (texts[i] ?? '').replace(/^\d+/, String(pid)))))
  }

  test('whose number now belongs to another living program is no obstacle', async () => {
    const account = await pickAccount(undefined)
    // Of the same user, so that PostgreSQL by itself would take it for a running server.
    const stranger = spawn('sleep', ['600'], { ...spawnIdentity(account), cwd: '/', stdio: 'ignore' })
    try {
      await leaveBehind(stranger.pid ?? 0)
      const server = await scratch.start(dataDir)
      expect(server.adopted).toBe(false)
      expect(isAlive(stranger.pid ?? 0)).toBe(true)
    } finally {
      await kill(stranger)
    }
  })

  test('whose process is gone is no obstacle', async () => {
    const gone = spawn('true', { stdio: 'ignore' })
    await kill(gone)
    await leaveBehind(gone.pid ?? 0)
    expect((await scratch.start(dataDir)).adopted).toBe(false)
  })
})

describe('a path too long for a socket', () => {
  test('gets a private short folder, is adopted, and leaves nothing behind', async () => {
    const deep = join(scratch.root, 'd'.repeat(60), 'e'.repeat(60), 'data')
    const { child, said } = await scratch.hold(deep)
    await query(said.connectionString ?? '', 'create table kept ()')
    await kill(child)
    const server = await scratch.start(deep)
    expect(server.adopted).toBe(true)
    expect(server.connectionString).toBe(said.connectionString)
    await query(server.connectionString, 'select from kept')
    const socketDir = decodeURIComponent(/host=([^&]+)/.exec(server.connectionString)?.[1] ?? '')
    expect(await readdir(socketDir)).toContain('.s.PGSQL.5432')
    await server.stop()
    await expect(access(socketDir)).rejects.toThrow()
  })

  test('keeps its address when PostgreSQL is killed', async () => {
    const deep = join(scratch.root, 'd'.repeat(120))
    await ready.layInto(deep)
    const server = await scratch.start(deep)
    process.kill(await postmasterOf(server.where), 'SIGKILL')
    await expect.poll(() => query(server.connectionString, 'select 1 as one').catch(() => [])).toEqual([{ one: 1 }])
  })
})

describe.runIf(asRoot)('as root', () => {
  test('PostgreSQL runs as an unprivileged user', async () => {
    const server = await scratch.start(dataDir)
    const status = await readFile(`/proc/${await postmasterOf(server.where)}/status`, 'utf8')
    expect(status).not.toMatch(/^Uid:\s+0\s/m)
    expect(status).toMatch(/^Groups:\s*$/m)
  })

  test('an ordinary user is told why the database that root made is not his', async ({ skip }) => {
    const program = fileURLToPath(new URL('testing/hold-server.ts', import.meta.url))
    const reachable = await canEnter(dirname(program), { uid: 65534, gid: 65534, name: 'nobody' })
    skip(!reachable, 'this copy of the repository is closed to other users')
    await (await scratch.start(dataDir)).stop()
    const { stdout } = spawnSync(process.execPath, [program, dataDir, scratch.systemDir], {
      uid: 65534,
      gid: 65534,
      cwd: '/',
      encoding: 'utf8',
    })
    expect(JSON.parse(stdout).error).toBe(
      `Cannot read ${join(dataDir, 'postgres', 'password')}: start as the same user as the first time`,
    )
  })

  test('a data folder others cannot enter has its database in the system folder, and says so', async () => {
    await mkdir(join(scratch.root, 'private'), { mode: 0o700 })
    const hidden = join(scratch.root, 'private', 'data')
    const first = await scratch.start(hidden)
    expect(dirname(first.where)).toBe(scratch.systemDir)
    expect(scratch.lines.at(-1)).toContain(first.where)
    await query(first.connectionString, 'create table kept ()')
    await first.stop()

    // A folder opened later does not make it look elsewhere.
    await chmod(join(scratch.root, 'private'), 0o755)
    const second = await scratch.start(hidden)
    expect(second.where).toBe(first.where)
    await query(second.connectionString, 'select from kept')
    await second.stop()

    // A data folder that was deleted means a fresh start, and the old files stay.
    await chmod(join(scratch.root, 'private'), 0o700)
    await rm(hidden, { recursive: true })
    const third = await scratch.start(hidden)
    expect(third.where).not.toBe(first.where)
    await access(join(first.where, 'cluster', 'PG_VERSION'))
  })

  test('programs others cannot reach are copied to the system folder once', async () => {
    const account = await pickAccount(undefined)
    const { postgres } = await findNative(undefined, scratch.systemDir)
    const hidden = join(scratch.root, 'private')
    await mkdir(hidden, { mode: 0o700 })
    await cp(dirname(dirname(postgres)), join(hidden, 'native'), { recursive: true, verbatimSymlinks: true })
    const copy = await reachablePrograms(join(hidden, 'native'), '1', account, scratch.systemDir)
    expect(copy.postgres).toBe(join(scratch.systemDir, 'postgresql-1', 'bin', 'postgres'))
    await runProgram(copy.postgres, ['--version'], { ...spawnIdentity(account), cwd: '/' })
    const again = await reachablePrograms(join(hidden, 'native'), '1', account, scratch.systemDir)
    expect(again).toEqual(copy)
    expect(await readdir(scratch.systemDir)).toEqual(['postgresql-1'])
  })

  test('a folder is enterable only when every folder above lets the account through', async () => {
    const deep = join(scratch.root, 'a', 'b')
    await mkdir(deep, { recursive: true })
    const account = { uid: 65534, gid: 65534, name: 'nobody' }
    expect(await canEnter(deep, account)).toBe(true)
    await chmod(join(scratch.root, 'a'), 0o750)
    expect(await canEnter(deep, account)).toBe(false)
    expect(await canEnter(deep, undefined)).toBe(true)
  })
})

test('accounts are read from the password file, with the negative numbers of macOS', () => {
  const text = '# comment:x\nroot:x:0:0:root:/root:/bin/sh\nnobody:*:-2:-2:Unprivileged:/var/empty:/usr/bin/false\n\n'
  expect(parsePasswd(text)).toEqual([
    { name: 'root', uid: 0, gid: 0 },
    { name: 'nobody', uid: 4294967294, gid: 4294967294 },
  ])
})
