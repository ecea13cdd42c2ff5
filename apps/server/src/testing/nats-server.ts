/** Real NATS servers for room tests, on ports of their own. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adviceFor, findProgram, mayMiss } from '../../../../scripts/debian-programs.mjs'
import { eventually } from './eventually.ts'

/** Only on a machine that has no package of it; elsewhere a missing one is a failure. */
export const withoutNats: boolean = findProgram('nats-server') === undefined && mayMiss()

export interface NatsServer {
  url: string
  /** For another one of its cluster. */
  route: string
  /** It neither answers nor ends. */
  hang(): void
  goOn(): void
  /** Ends at once, without a word. */
  kill(): Promise<void>
  /** The same address again. */
  startAgain(): Promise<void>
}

interface Ports {
  nats: string[]
  cluster?: string[]
}

const anyRoute = 'nats://127.0.0.1:-1'
const first = (list: string[] | undefined): string => list?.[0] ?? ''
const portOf = (url: string): string => new URL(url).port

async function run(args: string[], places: string): Promise<{ child: ChildProcess; ports: Ports }> {
  const program = findProgram('nats-server')
  if (!program) throw new Error(adviceFor('nats-server'))
  const child = spawn(program, ['-a', '127.0.0.1', '--ports_file_dir', places, ...args], { stdio: 'ignore' })
  const read = async () => {
    const file = (await readdir(places)).find((name) => name.includes(`_${child.pid}.ports`)) ?? ''
    return JSON.parse(await readFile(join(places, file), 'utf8')) as Ports
  }
  return { child, ports: await eventually(read) }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}

/** @param close called with what ends it @param extra arguments of the program */
export async function startNats(close: (end: () => Promise<void>) => void, extra: string[] = []): Promise<NatsServer> {
  const places = await mkdtemp(join(tmpdir(), 'ithings-nats-'))
  const begun = await run(['-p', '-1', ...extra], places)
  let { child } = begun
  close(async () => {
    await end(child)
    await rm(places, { recursive: true })
  })
  const url = first(begun.ports.nats)
  const route = first(begun.ports.cluster)
  return {
    url,
    route,
    hang: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    kill: () => end(child),
    async startAgain() {
      // The others of its cluster look for it where it was.
      const again = extra.map((arg) => (arg === anyRoute ? route : arg))
      child = (await run(['-p', portOf(url), ...again], places)).child
    },
  }
}

/** One cluster of so many. */
export async function startNatsCluster(
  count: number,
  close: (end: () => Promise<void>) => void,
): Promise<NatsServer[]> {
  const servers: NatsServer[] = []
  for (let i = 0; i < count; i++) {
    const routes = servers.flatMap(({ route }) => ['--routes', route])
    const name = ['--cluster_name', 'rooms', '--cluster', anyRoute]
    servers.push(await startNats(close, [...name, ...routes]))
  }
  return servers
}
