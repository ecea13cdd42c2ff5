// The set-up run for real in a model repository; only npm and the network behind it are replaced.
import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { isAlive } from '../apps/server/src/engines/embedded-pg/pid-file.ts'
import { sourceHash } from './build-console.mjs'
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
  beforeEach(async () => {
    await cp(import.meta.dirname, join(root, 'scripts'), { recursive: true })
    await write('package.json', JSON.stringify({ type: 'module', workspaces: ['apps/server'] }))
    await write('apps/server/package.json', '{}')
    await write('package-lock.json', lock)
    await mkdir(join(root, 'node_modules/node/bin'), { recursive: true })
    await symlink(process.execPath, join(root, 'node_modules/node/bin/node'))
  })

  /** An npm that counts its calls, warns, rearranges the lock, and ends as told. */
  const npm = (exitCode: number) =>
    write(
      'npm-cli.js',
      `import { appendFileSync } from 'node:fs'
       appendFileSync('calls', process.argv.slice(2).join(' ') + '\\n')
       appendFileSync('package-lock.json', '{}')
       console.error('npm warn EBADENGINE'); console.error('npm error the reason')
       process.exit(${exitCode})`,
    )
  const setUp = (command: string, env = {}) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [join(root, 'scripts/setup.mjs'), command], {
      encoding: 'utf8',
      env: { ...process.env, npm_execpath: join(root, 'npm-cli.js'), ...env },
    })
    return { stdout, stderr, status }
  }

  test('happens once, says so in one line without the warnings of npm, and leaves the lock alone', async () => {
    await npm(0)
    expect(setUp('check')).toEqual({
      stdout: expect.stringMatching(/^Installing packages \.\.\. \d+ s\n$/),
      stderr: '',
      status: 0,
    })
    expect(await read('package-lock.json')).toBe(lock)
    expect(setUp('check')).toEqual({ stdout: '', stderr: '', status: 0 })
    expect((await read('calls')).split('\n')).toHaveLength(2)
    expect(await read('calls')).toMatch(/^install /)
  })

  test('happens again when the lock or a package file changed', async () => {
    await npm(0)
    setUp('check')
    await write('package-lock.json', '{ "lockfileVersion": 3, "packages": {} }\n')
    setUp('check')
    await write('apps/server/package.json', '{ "dependencies": {} }')
    setUp('check')
    expect((await read('calls')).trim().split('\n')).toHaveLength(3)
  })

  test('that fails shows what npm said, and is tried again the next time', async () => {
    await npm(1)
    const { stdout, stderr, status } = setUp('check')
    expect(status).toBe(1)
    expect(stdout).toMatch(/^Installing packages \.\.\. failed after \d+ s\n$/)
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
    await write('apps/console/vite.config.js', '')
    await mkdir(join(root, 'packages/contract/src'), { recursive: true })
    await mkdir(join(root, 'node_modules/vite/bin'), { recursive: true })
    await write('node_modules/vite/bin/vite.js', `require('node:fs').mkdirSync('dist', { recursive: true })`)
    await write('node_modules/vite/package.json', '{}')
    const { stdout, stderr, status } = setUp('test', { CHROMIUM_PATH: '/no/such/browser' })
    expect(stdout).toMatch(/Building the console \.\.\. \d+ s/)
    expect(stderr.trim()).toBe('CHROMIUM_PATH is /no/such/browser, but there is no such program.')
    expect(status).toBe(1)
    expect(setUp('start')).toEqual({ stdout: '', stderr: '', status: 0 })
  })

  test('an unknown command gets the list of commands', () => {
    const { stderr, status } = setUp('dance')
    expect(stderr.trim()).toBe('usage: node scripts/setup.mjs start|bench|test|dev|check|backup|restore')
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
    const { code, output } = await node(parent, { minutes: 1 / 60 })
    expect(code).not.toBe(0)
    expect(output).toContain('stopped: not done after')
    const child = Number(/child (\d+)/.exec(output)?.[1])
    expect(child).toBeGreaterThan(0)
    await expect.poll(() => isAlive(child)).toBe(false)
  })
})
