/** A real HAProxy in front of the servers, with the configuration that we ship and the addresses of this machine. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { findProgram, programEnv } from '../../../scripts/debian-programs.mjs'
import { endProcess, root } from '../platform.ts'

export interface Addresses {
  mqttPort: number
  httpPort: number
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const at = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof at === 'object' && at ? at.port : 0
}

interface OwnAddresses extends Addresses {
  /** Open when it has a certificate. */
  mqttsPort: number
  httpsPort: number
}

/** deploy/haproxy.cfg with other addresses, and as many connections as a machine of a developer allows. */
async function configOf(ports: OwnAddresses, servers: Addresses[]): Promise<string> {
  let text = await readFile(join(root, 'deploy/haproxy.cfg'), 'utf8')
  const own = {
    'bind :1883': `bind 127.0.0.1:${ports.mqttPort}`,
    'bind :8883': `bind 127.0.0.1:${ports.mqttsPort}`,
    'bind :80': `bind 127.0.0.1:${ports.httpPort}`,
    'bind :443': `bind 127.0.0.1:${ports.httpsPort}`,
  }
  for (const [from, to] of Object.entries({ ...own, 'maxconn 200000': 'maxconn 2000' })) text = text.replace(from, to)
  for (const [i, server] of servers.entries()) {
    const example = `10.0.0.${11 + i}`
    text = text.replace(`${example}:1883 check`, `127.0.0.1:${server.mqttPort} check port ${server.httpPort}`)
    text = text.replace(`${example}:7777 check`, `127.0.0.1:${server.httpPort} check`)
  }
  if (/10\.0\.0\.|bind :|200000/.test(text)) throw new Error('deploy/haproxy.cfg has addresses that are not known here')
  return text
}

export interface Balancer extends OwnAddresses {
  hang(): void
  goOn(): void
  kill(): Promise<void>
  startAgain(): void
}

/** @param certificate a file like tls.crt, with the key in tls.key beside it */
export async function startBalancer(folder: string, servers: Addresses[], certificate = ''): Promise<Balancer> {
  const [mqttPort, httpPort, mqttsPort, httpsPort] = [
    await freePort(),
    await freePort(),
    await freePort(),
    await freePort(),
  ]
  const own = { mqttPort, httpPort, mqttsPort, httpsPort }
  const file = join(folder, 'haproxy.cfg')
  await writeFile(file, await configOf(own, servers))
  const program = findProgram('haproxy') ?? 'haproxy'
  const env = { ...programEnv('haproxy'), TLS_CRT: certificate }
  const start = (): ChildProcess => spawn(program, ['-db', '-f', file], { env, stdio: 'ignore' })
  let child = start()
  return {
    ...own,
    hang: () => void child.kill('SIGSTOP'),
    goOn: () => void child.kill('SIGCONT'),
    kill: () => endProcess(child, 'SIGKILL'),
    startAgain() {
      child = start()
    },
  }
}
