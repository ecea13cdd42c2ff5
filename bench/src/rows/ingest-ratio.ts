/** The platform against the bare corridor: both wait side by side, load goes to one and then to the other. */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type pg from 'pg'
import { generate, type LoadResult } from '../load/generate.ts'
import { median } from '../machine.ts'
import { type BenchPlatform, endProcess, root, type StationClient, stationClient } from '../platform.ts'
import { databaseTime, processTime } from '../processor-time.ts'

/** Closed loop: enough connections and messages under way to fill every batch. */
export const ratioDevices = 500
const window = 20

export interface RatioOrders {
  database: pg.Client
  databaseUrl: string
  postmaster: string
  platform: BenchPlatform
  productID: string
  rounds: number
  warmUpMs: number
  measureMs: number
}

/** Medians of all turns; processor time in microseconds a message, which says more than the rate on a busy machine. */
export interface Side {
  perSecond: number
  server: number
  database: number
  generator: number
  lost: number
}

interface Turn extends Side {
  result: LoadResult
}

export const describeLoad = ({ perSecond, p50, p95, p99, worst, heldBack, lost }: LoadResult): string =>
  `${perSecond.toFixed(0)} msg/s, p50 ${p50.toFixed(1)} p95 ${p95.toFixed(1)} p99 ${p99.toFixed(1)} worst ${worst.toFixed(1)} ms, held back ${heldBack}, connections lost ${lost}`

interface Target {
  name: string
  child: ChildProcess
  port: number
  clients: StationClient[]
}

async function startBare(databaseUrl: string): Promise<Target> {
  const child = spawn(process.execPath, [join(root, 'bench/src/load/bare-corridor.ts'), databaseUrl], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let port = 0
  for await (const line of createInterface({ input: child.stdout })) {
    port = Number(line)
    break
  }
  const clients = Array.from({ length: ratioDevices }, (_, i) => ({
    clientID: `bare${i}`,
    userName: 'bare',
    password: 'bare',
    topic: `$thing/up/property/bare/d${i}`,
  }))
  return { name: 'bare corridor', child, port, clients }
}

async function takeTurn({ database, postmaster, warmUpMs, measureMs }: RatioOrders, target: Target): Promise<Turn> {
  // What the turn before left to be written is not for this one to pay.
  await database.query('checkpoint')
  const spent = { server: 0, database: 0, generator: 0 }
  const { port, clients, child } = target
  const result = await generate({ port, clients, window, warmUpMs, measureMs }, (phase, generatorPid) => {
    const sign = phase === 'begun' ? -1 : 1
    spent.server += sign * processTime(child.pid ?? 0)
    spent.database += sign * databaseTime(postmaster)
    spent.generator += sign * processTime(generatorPid)
  })
  const each = (ms: number) => (ms * 1000) / result.acknowledged
  const { perSecond, lost } = result
  const turn = { server: each(spent.server), database: each(spent.database), generator: each(spent.generator) }
  console.error(
    `  ${target.name}: ${describeLoad(result)}, processor time a message: server ${turn.server.toFixed(1)}, database ${turn.database.toFixed(1)}, load generator ${turn.generator.toFixed(1)} µs`,
  )
  return { ...turn, perSecond, lost, result }
}

function sideOf(turns: Turn[]): Side {
  const middle = (pick: (turn: Turn) => number) => median(turns.map(pick))
  return {
    perSecond: middle((turn) => turn.perSecond),
    server: middle((turn) => turn.server),
    database: middle((turn) => turn.database),
    generator: middle((turn) => turn.generator),
    lost: turns.reduce((sum, turn) => sum + turn.lost, 0),
  }
}

/** In turn, each first in half of the rounds: a machine that gets slower meanwhile is slower for both. */
export async function measureRatio(orders: RatioOrders): Promise<{ bare: Side; full: Side }> {
  const { platform, productID, rounds } = orders
  const bareTarget = await startBare(orders.databaseUrl)
  const fullTarget: Target = {
    name: 'platform',
    child: platform.child,
    port: platform.mqttPort,
    clients: Array.from({ length: ratioDevices }, (_, i) => stationClient(productID, i)),
  }
  const bare: Turn[] = []
  const full: Turn[] = []
  try {
    for (let round = 0; round < rounds; round++) {
      const order = [
        { target: bareTarget, turns: bare },
        { target: fullTarget, turns: full },
      ]
      if (round % 2 === 1) order.reverse()
      for (const { target, turns } of order) turns.push(await takeTurn(orders, target))
    }
  } finally {
    await endProcess(bareTarget.child)
  }
  return { bare: sideOf(bare), full: sideOf(full) }
}
