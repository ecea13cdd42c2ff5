// The NATS server of the tests. Where there are Debian packages it is fetched and unpacked beside the npm packages: an
// installed one would be started as a service that everybody on the network can reach.
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isDebian, isProgram, isRoot, onPath, thisPlace } from './programs.mjs'
import { root } from './repository.mjs'
import { Refusal, run, step, tail } from './step.mjs'

const folder = join(root, 'node_modules/.nats-server')

/** Path of a nats-server, or undefined. */
export const findNatsServer = () => {
  const names = ['nats-server', 'nats-server.exe'].flatMap((name) => onPath(thisPlace(), name))
  return [...names, join(folder, 'usr/sbin/nats-server')].find(isProgram)
}

export const natsAdvice = `The tests of several servers need nats-server.
  Debian:  sudo apt-get install nats-server
  macOS:   brew install nats-server`

/** Only where there is no such package may the tests go without it. */
export const mayMissNats = () => !isDebian()

export async function ensureNatsServer() {
  if (findNatsServer()) return
  if (mayMissNats()) {
    console.log('There is no nats-server on the PATH: the tests with NATS are skipped.')
    return
  }
  await step('Fetching nats-server', unpack)
  if (!findNatsServer()) throw new Refusal(natsAdvice)
}

async function unpack() {
  await mkdir(dirname(folder), { recursive: true })
  const parts = await mkdtemp(`${folder}-`)
  const mustRun = async (program, ...args) => {
    const { code, output } = await run(program, args, { cwd: parts, minutes: 10 })
    if (code !== 0) throw new Refusal(`${tail(output, 15)}\n\n${natsAdvice}`)
  }
  try {
    if (isRoot()) await run('apt-get', ['update', '-qq'], { minutes: 10 })
    await mustRun('apt-get', 'download', '-qq', 'nats-server')
    const [file = ''] = await readdir(parts)
    await mustRun('dpkg-deb', '-x', file, 'files')
    await rm(folder, { recursive: true, force: true })
    await rename(join(parts, 'files'), folder)
  } finally {
    await rm(parts, { recursive: true, force: true })
  }
}
