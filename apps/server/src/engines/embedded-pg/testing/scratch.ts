import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Phrase } from '@ithings/contract/text.ts'
import pg from 'pg'
import { inEnglish } from '#terminal.ts'
import { readPidFile } from '../pid-file.ts'
import { runProgram } from '../run-program.ts'
import {
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
  startEmbeddedPostgres,
} from '../start-embedded-postgres.ts'

type Held = { child: ChildProcess; said: { connectionString?: string; adopted?: boolean; error?: string } }

/** A folder for one test with all that was started in it; clear() ends and removes everything. */
export async function makeScratch() {
  const root = await mkdtemp(join(tmpdir(), 'embedded-pg-'))
  await chmod(root, 0o755)
  const servers: EmbeddedPostgres[] = []
  const children: ChildProcess[] = []
  const systemDir = join(root, 'system')
  const lines: string[] = []
  const keep = (words: Phrase) => void lines.push(inEnglish(words))
  const log = { info: keep, warn: keep }

  const start = async (dataDir: string, more: Partial<EmbeddedPostgresOptions> = {}) => {
    const server = await startEmbeddedPostgres({ dataDir, systemDir, log, ...more })
    servers.push(server)
    return server
  }

  const hold = async (dataDir: string): Promise<Held> => {
    const program = fileURLToPath(new URL('hold-server.ts', import.meta.url))
    const child = spawn(process.execPath, [program, dataDir, systemDir], { stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(child)
    for await (const line of createInterface({ input: child.stdout })) return { child, said: JSON.parse(line) }
    throw new Error('the held server said nothing')
  }

  const clear = async () => {
    for (const child of children) await end(child, 'SIGTERM')
    for (const server of servers) await server.stop()
    await rm(root, { recursive: true, force: true })
  }

  return { root, systemDir, lines, start, hold, clear }
}

/** The files of a first start, which takes longer than all the rest, for tests that are about a later one. */
export async function makeReady() {
  const scratch = await makeScratch()
  const dataDir = join(scratch.root, 'data')
  const { where, stop } = await scratch.start(dataDir)
  await stop()
  return {
    async layInto(target: string): Promise<void> {
      await mkdir(target, { recursive: true })
      // Node's own copying does not keep the owner.
      await runProgram('cp', ['-a', where, target], {})
    },
    clear: scratch.clear,
  }
}

export const kill = (child: ChildProcess) => end(child, 'SIGKILL')

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

export async function query<Row extends pg.QueryResultRow>(connectionString: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString, connectionTimeoutMillis: 60_000 })
  await client.connect()
  try {
    return (await client.query<Row>(sql)).rows
  } finally {
    await client.end()
  }
}

export async function postmasterOf(home: string): Promise<number> {
  const found = await readPidFile(join(home, 'cluster'))
  if (!found) throw new Error(`no PostgreSQL runs in ${home}`)
  return found.pid
}
