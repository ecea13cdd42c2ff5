/**
 * A real mosquitto for room tests: the MQTT server that somebody else runs. Its sessions outlive it, as in production.
 * Another one (RabbitMQ, EMQX) is tried by naming its address in UPSTREAM_TEST_URL; it goes on running.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adviceFor, findProgram, mayMiss, programEnv } from '../../../../scripts/debian-programs.mjs'
import { eventually } from './eventually.ts'

/** One that cannot be stopped and started here. */
export const givenBroker: string | undefined = process.env.UPSTREAM_TEST_URL

/** Only on a machine that has no package of it; elsewhere a missing one is a failure. */
export const withoutMosquitto: boolean = !givenBroker && findProgram('mosquitto') === undefined && mayMiss()

export interface Mosquitto {
  url: string
  /** In good order: what waits in sessions is on the disk. */
  stop(): Promise<void>
  /** At once, without a word. */
  kill(): Promise<void>
  /** The same address and the same sessions again. */
  startAgain(): Promise<void>
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const at = server.address()
  server.close()
  await once(server, 'close')
  return typeof at === 'object' && at ? at.port : 0
}

export async function answers(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
  } finally {
    socket.destroy()
  }
}

export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

/** @param close called with what ends it @param extra lines of its configuration */
export async function startMosquitto(
  close: (end: () => Promise<void>) => void,
  extra: string[] = [],
): Promise<Mosquitto> {
  if (givenBroker) return { url: givenBroker, stop: async () => {}, kill: async () => {}, startAgain: async () => {} }
  const program = findProgram('mosquitto')
  if (!program) throw new Error(adviceFor('mosquitto'))
  const folder = await mkdtemp(join(tmpdir(), 'ithings-mosquitto-'))
  const port = await freePort()
  const file = join(folder, 'mosquitto.conf')
  const lines = [
    `listener ${port} 127.0.0.1`,
    'allow_anonymous true',
    'persistence true',
    `persistence_location ${folder}/`,
    'max_queued_messages 0',
    // An unprivileged user of its own would not be able to write here.
    'user root',
    ...extra,
  ]
  await writeFile(file, `${lines.join('\n')}\n`)
  const run = async () => {
    const child = spawn(program, ['-c', file], { stdio: 'ignore', env: programEnv('mosquitto') })
    await eventually(() => answers(port))
    return child
  }
  let child = await run()
  close(async () => {
    await end(child, 'SIGKILL')
    await rm(folder, { recursive: true })
  })
  return {
    url: `mqtt://127.0.0.1:${port}`,
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
    async startAgain() {
      child = await run()
    },
  }
}
