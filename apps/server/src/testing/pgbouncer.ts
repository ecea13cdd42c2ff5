/** A real PgBouncer for room tests, in front of the server of a database, on a port of its own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { pickAccount } from '#engines/embedded-pg/account.ts'
import { adviceFor, findProgram, mayMiss, programEnv } from '../../../../scripts/debian-programs.mjs'
import { eventually } from './eventually.ts'
import { answers, end, freePort } from './mosquitto.ts'

/** Only on a machine that has no package of it; elsewhere a missing one is a failure. */
export const withoutPgBouncer: boolean = findProgram('pgbouncer') === undefined && mayMiss()

export interface PgBouncer {
  /** The same database, through it. */
  url: string
  /** Ends at once, without a word. */
  kill(): Promise<void>
  /** The same address again. */
  startAgain(): Promise<void>
}

/** @param close called with what ends it @param settings of its section [pgbouncer]; all others are as they are without a file */
export async function startPgBouncer(
  databaseUrl: string,
  close: (end: () => Promise<void>) => void,
  settings: Record<string, string> = {},
): Promise<PgBouncer> {
  const program = findProgram('pgbouncer')
  if (!program) throw new Error(adviceFor('pgbouncer'))
  const folder = await mkdtemp(join(tmpdir(), 'ithings-pgbouncer-'))
  const port = await freePort()
  const { host, port: far, user, password, database } = new pg.Client({ connectionString: databaseUrl })
  // As root it does not run.
  const account = await pickAccount(undefined)
  const own = {
    ...{ listen_addr: '127.0.0.1', listen_port: port, unix_socket_dir: '', auth_type: 'any' },
    ...(account && { user: account.name }),
    ...settings,
  }
  const lines = [
    '[databases]',
    `${database} = host=${host} port=${far} user=${user} password=${password}`,
    '[pgbouncer]',
    ...Object.entries(own).map(([name, value]) => `${name} = ${value}`),
  ]
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, `${lines.join('\n')}\n`)
  const run = async () => {
    const child = spawn(program, [file], { stdio: 'ignore', env: programEnv('pgbouncer') })
    await eventually(() => answers(port))
    return child
  }
  let child: ChildProcess = await run()
  close(async () => {
    await end(child, 'SIGKILL')
    await rm(folder, { recursive: true })
  })
  return {
    url: `postgres://${user}@127.0.0.1:${port}/${database}`,
    kill: () => end(child, 'SIGKILL'),
    async startAgain() {
      child = await run()
    },
  }
}
