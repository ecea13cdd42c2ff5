/** goals.md "Start" and "Memory": from the command to a served login page, and the idle process afterwards. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { residentMegabytes } from '../processor-time.ts'
import { type Row, row } from '../row.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const idleSeconds = 10

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

async function untilServed(url: string, limitMs: number): Promise<void> {
  const until = Date.now() + limitMs
  while (Date.now() < until) {
    const answer = await fetch(url).catch(() => undefined)
    if (answer?.ok && (await answer.text()).includes('<div id="root"')) return
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`${url} was not served within ${limitMs} ms`)
}

/** `npm start` runs this program after its set-up check, which is timed too. */
async function startOnce(dataDir: string) {
  const port = await freePort()
  const begun = performance.now()
  const child = spawn('npm', ['start', '--silent'], {
    cwd: root,
    env: {
      ...process.env,
      LC_ALL: 'C',
      PORT: String(port),
      MQTT_PORT: '0',
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      ADMIN_PASSWORD: 'Bench-2026',
      LOG_LEVEL: 'warn',
    },
    stdio: 'ignore',
    detached: true,
  })
  await untilServed(`http://127.0.0.1:${port}/front/iThingsCore/user/login`, 60_000)
  const seconds = (performance.now() - begun) / 1000
  return { seconds, port, child }
}

async function serverPid(port: number): Promise<number> {
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return Number(/^ithings_process_id (\d+)$/m.exec(metrics)?.[1])
}

export async function measureStart(): Promise<Row[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ithings-bench-'))
  await chmod(dataDir, 0o711)
  const seconds: number[] = []
  let idle = 0
  try {
    // The first start makes the database; the goal is about an initialised one.
    for (let round = 0; round < 4; round++) {
      const run = await startOnce(dataDir)
      if (round > 0) seconds.push(run.seconds)
      const pid = await serverPid(run.port)
      if (round === 3) {
        await new Promise((resolve) => setTimeout(resolve, idleSeconds * 1000))
        idle = residentMegabytes(pid)
      }
      const ended = once(run.child, 'exit')
      process.kill(pid, 'SIGTERM')
      await ended
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
  const median = seconds.sort((a, b) => a - b)[1] ?? 0
  return [
    row({
      area: 'Start',
      what: 'npm start to a served login page (median of 3)',
      figure: median,
      unit: 's',
      reference: 5,
    }),
    row({
      area: 'Memory',
      what: `idle server process, ${idleSeconds} s after start`,
      figure: idle,
      unit: 'MB',
      reference: 200,
    }),
  ]
}
