// The servers of others that tests of several machines need. Where there are Debian packages they are fetched and
// unpacked beside the npm packages: an installed one would be started as a service that everybody on the network can reach.
import { existsSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isDebian, isProgram, isRoot, onPath, thisPlace } from './programs.mjs'
import { root } from './repository.mjs'
import { Refusal, run, step, tail } from './step.mjs'

/** Where each lies in its package. */
const programs = {
  'nats-server': 'usr/sbin/nats-server',
  haproxy: 'usr/sbin/haproxy',
  mosquitto: 'usr/sbin/mosquitto',
  'rabbitmq-server': 'usr/lib/rabbitmq/bin/rabbitmq-server',
  kcat: 'usr/bin/kcat',
  pgbouncer: 'usr/sbin/pgbouncer',
}

/** @typedef {keyof typeof programs} Program */

/** Where it is unpacked. @param {Program} name */
export const folderOf = (name) => join(root, `node_modules/.${name}`)

/** Path of a program that can be started, or undefined. @param {Program} name */
export const findProgram = (name) => {
  const names = [name, `${name}.exe`].flatMap((one) => onPath(thisPlace(), one))
  return [...names, `/usr/sbin/${name}`, join(folderOf(name), programs[name])].find(isProgram)
}

/** The environment in which it finds the libraries that came with it. @param {Program} name */
export const programEnv = (name) => {
  const places = ['usr/lib', 'lib'].map((place) => join(folderOf(name), place)).filter((place) => existsSync(place))
  const libraries = places.flatMap((place) => readdirSync(place).map((found) => join(place, found)))
  return libraries.length === 0 ? process.env : { ...process.env, LD_LIBRARY_PATH: libraries.join(':') }
}

/** @param {Program} name */
export const adviceFor = (name) => `The tests of several servers need ${name}.
  Debian:  sudo apt-get install ${name}
  macOS:   brew install ${name}`

/** Only where there is no such package may the tests go without it. */
export const mayMiss = () => !isDebian()

export async function ensurePrograms() {
  const missing = /** @type {Program[]} */ (Object.keys(programs)).filter((name) => !findProgram(name))
  if (missing.length > 0 && !mayMiss() && isRoot()) await run('apt-get', ['update', '-qq'], { minutes: 10 })
  for (const name of missing) {
    if (mayMiss()) console.log(`There is no ${name} on the PATH: the tests with it are skipped.`)
    else await step(`Fetching ${name}`, () => unpack(name))
  }
}

/** @param {Program} name */
async function unpack(name) {
  const folder = folderOf(name)
  await mkdir(dirname(folder), { recursive: true })
  const parts = await mkdtemp(`${folder}-`)
  const mustRun = async (program, ...args) => {
    const { code, output } = await run(program, args, { cwd: parts, minutes: 10 })
    if (code !== 0) throw new Refusal(`${tail(output, 15)}\n\n${adviceFor(name)}`)
  }
  try {
    // The package, and of what it depends on what this machine does not have.
    const here = ['-o', 'Debug::NoLocking=1', '-o', `Dir::Cache::archives=${parts}/`]
    await mustRun('apt-get', 'install', '-qq', '-y', '--download-only', '--no-install-recommends', ...here, name)
    for (const file of await readdir(parts)) if (file.endsWith('.deb')) await mustRun('dpkg-deb', '-x', file, 'files')
    await rm(folder, { recursive: true, force: true })
    await rename(join(parts, 'files'), folder)
  } finally {
    await rm(parts, { recursive: true, force: true })
  }
}
