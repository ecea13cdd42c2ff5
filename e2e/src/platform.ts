/**
 * A real platform for a walk, on an empty data folder. What a walk about its start, its end or its durability needs is the
 * program itself, started as a person would start it; all others have the same app in this process, which has read its
 * modules already.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeScratchDatabase, type ScratchDatabase } from '../../apps/server/src/testing/scratch-database.ts'
import { openApp, type Started } from './app-here.ts'
import { commons } from './commons.ts'
import { platformEnv, root, templateKey } from './program.ts'

const startTimeoutMs = 180_000

export interface Platform extends Started {
  /** Address without path. */
  origin: string
  dataDir: string
  /** Undefined when it has its own PostgreSQL in its data folder. */
  databaseUrl: string | undefined
}

export interface PlatformOptions {
  /** Of an earlier platform, whose data this one goes on with. */
  dataDir?: string
  /** Its own PostgreSQL in its data folder, as a person has it: for walks about the first start and about durability. */
  ownDatabase?: boolean
  /** For walks about how it ends, and about several servers. */
  ownProcess?: boolean
  env?: Record<string, string>
  /** As after `npm start --`. */
  args?: string[]
}

/** What a process has only one of: its clock's zone, its arguments. A later start on the same data is one of the program, too. */
const needsProcess = ({ ownProcess, ownDatabase, dataDir, args, env }: PlatformOptions): boolean =>
  Boolean(ownProcess || ownDatabase || dataDir || args || env?.TZ)

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

/** The program itself. */
async function startProgram(env: NodeJS.ProcessEnv, args: string[]): Promise<Started> {
  const child = spawn(process.execPath, ['apps/server/src/main.ts', ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = capture(child)
  const [, consoleUrl = ''] = await waitForText(child, output, /ready:\s+(\S+\/front\/iThingsCore\/)[\s\S]*\n\n/)
  return {
    consoleUrl,
    mqttUrl: /mqtt:\/\/\S+/.exec(output())?.[0] ?? '',
    printedPassword: /First sign-in:\s+administrator \/ (\S+)/.exec(output())?.[1],
    output,
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill(signal)
      await ended
    },
  }
}

/** Without `ownDatabase` its administrator has the password of `knownAdmin` already. */
export async function startPlatform(options: PlatformOptions = {}): Promise<Platform> {
  const dataDir = options.dataDir ?? (await makeDataDir())
  const databaseUrl = await databaseFor(dataDir, options)
  const env = platformEnv({
    DATA_DIR: dataDir,
    ...(databaseUrl && { DATABASE_URL: databaseUrl, ...templateKey }),
    ...options.env,
  })
  const started =
    databaseUrl && !needsProcess(options) ? await openApp(env) : await startProgram(env, options.args ?? [])
  return { ...started, origin: new URL(started.consoleUrl).origin, dataDir, databaseUrl }
}

/** Stops the platform in the ordinary way and removes its data. */
export async function discard(platform: Platform): Promise<void> {
  await platform.kill('SIGTERM')
  await clones.get(platform.dataDir)?.drop()
  clones.delete(platform.dataDir)
  const elsewhere = /its files are in (\S+?)"?[,}\n]/.exec(platform.output())?.[1]
  for (const dir of [elsewhere, platform.dataDir]) if (dir) await rm(dir, { recursive: true, force: true })
}
