/** A real RabbitMQ for room tests, on ports of its own. Its queues outlive it, as in production. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { adviceFor, mayMiss } from '../../../../scripts/debian-programs.mjs'
import { findRabbitmq } from '../../../../scripts/rabbitmq.mjs'
import { eventually } from './eventually.ts'
import { answers, end, freePort, type Mosquitto } from './mosquitto.ts'

/** Only on a machine that has no package of it; elsewhere a missing one is a failure. */
export const withoutRabbitmq: boolean = findRabbitmq() === undefined && mayMiss()

export interface Rabbitmq extends Mosquitto {
  /** Of its AMQP; `url` is that of its MQTT. */
  amqpPort: number
}

/** @param close called with what ends it @param extra lines of its configuration */
export async function startRabbitmq(
  close: (end: () => Promise<void>) => void,
  extra: string[] = [],
): Promise<Rabbitmq> {
  const found = findRabbitmq()
  if (!found) throw new Error(adviceFor('rabbitmq-server'))
  const folder = await mkdtemp(join(tmpdir(), 'ithings-rabbitmq-'))
  const [amqp, mqtt, epmdPort, distribution] = await Promise.all([freePort(), freePort(), freePort(), freePort()])
  const settings = [`listeners.tcp.1 = 127.0.0.1:${amqp}`, `mqtt.listeners.tcp.1 = 127.0.0.1:${mqtt}`, ...extra]
  await writeFile(join(folder, 'rabbitmq.conf'), `${settings.join('\n')}\nmqtt.prefetch = 200\n`)
  await writeFile(join(folder, 'plugins'), '[rabbitmq_mqtt].\n')
  // The one of the package looks for itself in /usr/lib.
  const { runtime, erlang } = found
  const erl = `#!/bin/sh\nexport ROOTDIR='${erlang}' BINDIR='${runtime}' EMU=beam PROGNAME=erl\nexec "$BINDIR/erlexec" "$@"\n`
  await writeFile(join(folder, 'erl'), erl, { mode: 0o755 })
  const env = {
    ...found.env,
    PATH: `${folder}:${process.env.PATH}`,
    HOME: folder,
    ERL_EPMD_PORT: String(epmdPort),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_NODENAME: 'upstream@localhost',
    RABBITMQ_DIST_PORT: String(distribution),
    RABBITMQ_MNESIA_BASE: join(folder, 'data'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'plugins'),
    RABBITMQ_CONF_ENV_FILE: join(folder, 'none'),
  }
  // By it the parts of Erlang find each other; started here, so that it also ends here.
  const epmd = spawn(join(runtime, 'epmd'), [], { stdio: 'ignore', env })
  const run = async () => {
    child = spawn(found.server, [], { stdio: 'ignore', env, detached: true })
    await eventually(() => answers(mqtt))
  }
  let child: ChildProcess | undefined
  /** A script whose child is the server. */
  const endServer = async (signal: NodeJS.Signals) => {
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    process.kill(-child.pid, signal)
    await gone
  }
  close(async () => {
    await endServer('SIGKILL')
    await end(epmd, 'SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  await run()
  return {
    url: `mqtt://guest:guest@127.0.0.1:${mqtt}`,
    amqpPort: amqp,
    stop: () => endServer('SIGTERM'),
    kill: () => endServer('SIGKILL'),
    startAgain: run,
  }
}
