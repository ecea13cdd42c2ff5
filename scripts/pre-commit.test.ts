import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { installGitHook } from './git-hook.mjs'
import { preCommit } from './pre-commit.mjs'
import { root } from './repository.mjs'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ithings-hook-'))
  vi.spyOn(console, 'log').mockImplementation(() => undefined)
})
afterEach(async () => {
  vi.restoreAllMocks()
  await rm(folder, { recursive: true, force: true })
})

const git = (...args: string[]) =>
  spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder, encoding: 'utf8' })
const write = (name: string, text: string) => writeFile(join(folder, name), text)
const staged = (name: string) => git('show', `:${name}`).stdout

describe('the files of a commit', () => {
  beforeEach(async () => {
    git('init', '-q')
    await write('old.ts', 'old')
    await write('gone.ts', 'gone')
    git('add', '.')
    git('commit', '-qm', 'first')
  })

  /** Notes what it was asked for, and formats by capitals. */
  const makeBiome = (code = 0) => {
    const calls: string[][] = []
    const run = (args: string[]) => {
      const files = args.filter((arg) => arg.endsWith('.ts'))
      calls.push([args.includes('--write') ? 'write' : 'look', ...files])
      const format = `const fs = require('node:fs'); for (const f of process.argv.slice(1)) fs.writeFileSync(f, fs.readFileSync(f, 'utf8').toUpperCase())`
      if (args.includes('--write')) spawnSync(process.execPath, ['-e', format, ...files], { cwd: folder })
      return code
    }
    return { calls, run }
  }

  test('are formatted and committed so; what is not part of it is left alone', async () => {
    await write('new.ts', 'new')
    git('rm', '-q', 'gone.ts')
    git('add', 'new.ts')
    await write('old.ts', 'changed')
    const { calls, run } = makeBiome()
    expect(preCommit(folder, run)).toBe(0)
    expect(calls).toEqual([['write', 'new.ts']])
    expect(staged('new.ts')).toBe('NEW')
    expect(await readFile(join(folder, 'old.ts'), 'utf8')).toBe('changed')
  })

  test('of which only some changes are committed are looked at and not written', async () => {
    await write('old.ts', 'some')
    git('add', 'old.ts')
    await write('old.ts', 'some and more')
    const { calls, run } = makeBiome()
    expect(preCommit(folder, run)).toBe(0)
    expect(calls).toEqual([['look', 'old.ts']])
    expect(staged('old.ts')).toBe('some')
  })

  test('with a fault that cannot be mended stop the commit', async () => {
    await write('old.ts', 'bad')
    git('add', 'old.ts')
    expect(preCommit(folder, makeBiome(1).run)).toBe(1)
  })

  test('a commit that only removes asks nobody', () => {
    git('rm', '-q', 'gone.ts')
    const { calls, run } = makeBiome(1)
    expect(preCommit(folder, run)).toBe(0)
    expect(calls).toEqual([])
  })
})

describe('the hook', () => {
  const hooksPath = () => git('config', '--local', 'core.hooksPath').stdout.trim()

  test('is there for every system: a shell script with line ends of Unix that may be run', async () => {
    const path = join(root, '.githooks/pre-commit')
    expect(await readFile(path, 'utf8')).toMatch(/^#!\/bin\/sh\n[^\r]*scripts\/pre-commit\.mjs\n$/)
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o111).toBe(0o111)
  })

  test('is installed in a checkout', async () => {
    git('init', '-q')
    await mkdir(join(folder, '.githooks'))
    installGitHook(folder)
    expect(hooksPath()).toBe('.githooks')
  })

  test('does not replace what somebody chose', async () => {
    git('init', '-q')
    await mkdir(join(folder, '.githooks'))
    git('config', 'core.hooksPath', 'mine')
    installGitHook(folder)
    expect(hooksPath()).toBe('mine')
  })

  test('is no matter where there is no checkout, no git or a broken one', async () => {
    await mkdir(join(folder, '.githooks'))
    installGitHook(folder)
    await write('.git', 'nothing that git knows')
    expect(() => installGitHook(folder)).not.toThrow()
    vi.stubEnv('PATH', folder)
    expect(() => installGitHook(folder)).not.toThrow()
    vi.unstubAllEnvs()
  })
})
