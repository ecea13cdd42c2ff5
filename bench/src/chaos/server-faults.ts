/** What can happen to our own servers and to what stands before and between them. */
import { setTimeout as rest } from 'node:timers/promises'
import { uploadPackage } from '../load/packages.ts'
import { openSession } from '../platform.ts'
import type { CellServer } from './cell.ts'
import { type Fault, longHangMs, type Stage, serverOf } from './fault.ts'
import { expectDevices, spread } from './spread.ts'

/** What a clock that is wrong looks like to a program: the time of day is another, timers are not. */
const clockAhead = (ms: number) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
    `const D=Date,s=${ms},now=()=>D.now()+s;globalThis.Date=class extends D{constructor(...a){a.length?super(...a):super(now())}static now(){return now()}}`,
  )}`,
})

type Happen = Fault['happen']

const killServer =
  (number: number): Happen =>
  async ({ cell }) => {
    const server = serverOf(cell, number)
    await server.kill()
    await rest(10_000)
    await server.startAgain()
    return undefined
  }

const hang =
  (pick: (stage: Stage) => { hang(): void; goOn(): void }, ms: number): Happen =>
  async (stage) => {
    const one = pick(stage)
    one.hang()
    await rest(ms)
    one.goOn()
    return undefined
  }

/** Devices and their messages do not need this disk; who wants to store a file is refused, and may try again later. */
async function fillDisk(server: CellServer): Promise<void> {
  const { origin } = server
  const { token } = await openSession(origin)
  const upload = () => uploadPackage({ origin, token }, 'full.bin', 1024)
  await server.fillDisk(true)
  const answer = await upload().then(
    () => 'stored',
    () => 'refused',
  )
  await rest(10_000)
  if (answer !== 'refused') throw new Error('a file was stored on a full disk')
  if (!(await server.isReady())) throw new Error('a server with a full disk is not ready')
  await server.fillDisk(false)
  await upload()
}

const eachServer = [0, 1, 2]

export const serverFaults: Fault[] = [
  {
    row: 'restart-all',
    name: 'the three servers are restarted one after the other',
    awayMs: 5_000,
    async happen({ cell }) {
      for (const server of cell.servers) {
        await server.stop()
        await server.startAgain()
        await cell.allReady()
      }
      return undefined
    },
  },
  ...eachServer.map((number) => ({
    row: `kill-${number + 1}`,
    name: `kill -9 of server ${number + 1}`,
    inSmall: number === 0,
    strikes: number,
    happen: killServer(number),
  })),
  ...eachServer.map((number) => ({
    row: `hang-${number + 1}`,
    name: `server ${number + 1} hangs for 20 s`,
    inSmall: number === 0,
    strikes: number,
    happen: hang(({ cell }) => serverOf(cell, number), longHangMs),
  })),
  {
    row: 'clock',
    name: 'the clock of server 2 is 20 s ahead',
    strikes: 1,
    async happen({ cell, life: { reporters } }) {
      const server = serverOf(cell, 1)
      await server.startAgain(clockAhead(20_000))
      // Its start has sent its devices to the others.
      await spread(cell, reporters)
      await rest(longHangMs)
      await expectDevices(cell, reporters, 1)
      await server.startAgain()
      return undefined
    },
  },
  {
    row: 'disk-server',
    name: 'the disk of server 2 is full for 10 s',
    on: 'linux',
    strikes: 1,
    async happen({ cell }) {
      await fillDisk(serverOf(cell, 1))
      return 'a file was refused, and stored afterwards'
    },
  },
  {
    row: 'kill-nats',
    name: 'kill -9 of NATS',
    async happen({ cell: { nats } }) {
      await nats.kill()
      await rest(10_000)
      await nats.startAgain()
      return undefined
    },
  },
  { row: 'hang-nats', name: 'NATS hangs for 15 s', happen: hang(({ cell }) => cell.nats, 15_000) },
  {
    row: 'kill-haproxy',
    name: 'kill -9 of HAProxy',
    async happen({ cell: { balancer } }) {
      await balancer.kill()
      await rest(2_000)
      balancer.startAgain()
      return undefined
    },
  },
  { row: 'hang-haproxy', name: 'HAProxy hangs for 5 s', happen: hang(({ cell }) => cell.balancer, 5_000) },
]
