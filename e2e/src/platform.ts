/** A real platform for a walk: the program itself, started as a person would start it, on an empty data folder. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeScratchDatabase, type ScratchDatabase } from '../../apps/server/src/testing/scratch-database.ts'
import { commons } from './commons.ts'
import { platformEnv, root, templateKey } from './program.ts'

const startTimeoutMs = 180_000

export interface Platform {
  /** Address of the console, ending with a slash. */
  consoleUrl: string
  /** Address without path. */
  origin: string
  /** Where devices connect: mqtt://host:port */
  mqttUrl: string
  /** What the first start printed; undefined on later starts or with ADMIN_PASSWORD. */
  printedPassword: string | undefined
  pid: number
  dataDir: string
  /** Undefined when it has its own PostgreSQL in its data folder. */
  databaseUrl: string | undefined
  output(): string
  kill(signal: NodeJS.Signals): Promise<void>
}

export interface PlatformOptions {
  /** Of an earlier platform, whose data this one goes on with. */
  dataDir?: string
  /** Its own PostgreSQL in its data folder, as a person has it: for walks about the first start and about durability. */
  ownDatabase?: boolean
  env?: Record<string, string>
  /** As after `npm start --`. */
  args?: string[]
}

function capture(child: ChildProcess): () => string {
  let text = ''
  const append = (chunk: Buffer) => {
    text += chunk.toString('utf8')
  }
  child.stdout?.on('data', append)
  child.stderr?.on('data', append)
  return () => text
}

/** Resolves when the printed text matches; fails with everything printed when the program ends or time runs out. */
async function waitForText(child: ChildProcess, output: () => string, pattern: RegExp): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new Error(`${why}\n${output()}`))
    const timer = setTimeout(() => fail('the platform did not start in time'), startTimeoutMs)
    const look = () => {
      const found = pattern.exec(output())
      if (!found) return
      clearTimeout(timer)
      resolve(found)
    }
    child.stdout?.on('data', look)
    child.once('exit', (code) => {
      clearTimeout(timer)
      fail(`the platform ended with ${code}`)
    })
  })
}

export async function makeDataDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'ithings-walk-'))
  // As root, PostgreSQL runs under another account, which must be able to enter.
  await chmod(dir, 0o711)
  return dir
}

/** The databases of platforms that share a PostgreSQL, by data folder: a later start goes on with the same one. */
const clones = new Map<string, ScratchDatabase>()

async function databaseFor(dataDir: string, { ownDatabase, dataDir: earlier }: PlatformOptions) {
  if (!clones.has(dataDir) && !earlier && !ownDatabase && commons)
    clones.set(dataDir, await makeScratchDatabase(commons.databaseUrl, commons.template))
  return clones.get(dataDir)?.url
}

/** Without `ownDatabase` its administrator has the password of `knownAdmin` already. */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const dataDir = options.dataDir ?? (await makeDataDir())
  const databaseUrl = await databaseFor(dataDir, options)
  const child = spawn(process.execPath, ['apps/server/src/main.ts', ...(options.args ?? [])], {
    cwd: root,
    env: platformEnv({
      DATA_DIR: dataDir,
      ...(databaseUrl && { DATABASE_URL: databaseUrl, ...templateKey }),
      ...(commons && { NODE_COMPILE_CACHE: commons.compiled }),
      ...options.env,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = capture(child)
  const [, consoleUrl = ''] = await waitForText(child, output, /ready:\s+(\S+\/front\/iThingsCore\/)[\s\S]*\n\n/)
  return {
    consoleUrl,
    origin: new URL(consoleUrl).origin,
    mqttUrl: /mqtt:\/\/\S+/.exec(output())?.[0] ?? '',
    printedPassword: /First sign-in:\s+administrator \/ (\S+)/.exec(output())?.[1],
    pid: child.pid ?? 0,
    dataDir,
    databaseUrl,
    output,
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
  }
}

/** Stops the platform in the ordinary way and removes its data. */
export async function discard(platform: Platform): Promise<void> {
  await platform.kill('SIGTERM')
  await clones.get(platform.dataDir)?.drop()
  clones.delete(platform.dataDir)
  const elsewhere = /its files are in (\S+?)"?[,}\n]/.exec(platform.output())?.[1]
  for (const dir of [elsewhere, platform.dataDir]) if (dir) await rm(dir, { recursive: true, force: true })
}
