/** What can happen to a cell, one at a time; after each it is whole again, but for the last: the standby is the primary then. */
import { setTimeout as rest } from 'node:timers/promises'
import { adminQuery } from '../../../apps/server/src/testing/scratch-database.ts'
import { uploadPackage } from '../load/packages.ts'
import { openSession } from '../platform.ts'
import type { Cell, CellServer } from './cell.ts'

export interface Fault {
  name: string
  /** Also in the small size. */
  inSmall?: boolean
  /** Only there. */
  on?: NodeJS.Platform
  /** How long a device may be away; without it 15 s. */
  awayMs?: number
  happen(cell: Cell): Promise<void>
}

/** Longer than the three beats after which a server is taken for dead. */
const longHangMs = 20_000

/** What a clock that is wrong looks like to a program: the time of day is another, timers are not. */
const clockAhead = (ms: number) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(
    `const D=Date,s=${ms},now=()=>D.now()+s;globalThis.Date=class extends D{constructor(...a){a.length?super(...a):super(now())}static now(){return now()}}`,
  )}`,
})

const serverOf = (cell: Cell, number: number): CellServer => {
  const server = cell.servers[number]
  if (!server) throw new Error(`there is no server ${number}`)
  return server
}

const onServer = (number: number, does: (server: CellServer) => Promise<void>) => (cell: Cell) =>
  does(serverOf(cell, number))

const killServer = async (server: CellServer) => {
  await server.kill()
  await rest(10_000)
  await server.startAgain()
}

const hang = async (one: { hang(): void; goOn(): void }, ms: number) => {
  one.hang()
  await rest(ms)
  one.goOn()
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

/** As Patroni does it when the primary is gone. */
async function promote({ databases }: Cell): Promise<void> {
  await rest(3_000)
  await adminQuery(databases.standbyUrl, 'select pg_promote()')
}

export const faults: Fault[] = [
  {
    name: 'the three servers are restarted one after the other',
    awayMs: 5_000,
    async happen(cell) {
      for (const server of cell.servers) {
        await server.stop()
        await server.startAgain()
        await cell.allReady()
      }
    },
  },
  { name: 'kill -9 of server 1', inSmall: true, happen: onServer(0, killServer) },
  { name: 'kill -9 of server 2', happen: onServer(1, killServer) },
  { name: 'kill -9 of server 3', happen: onServer(2, killServer) },
  { name: 'server 1 hangs for 20 s', inSmall: true, happen: onServer(0, (server) => hang(server, longHangMs)) },
  { name: 'server 2 hangs for 20 s', happen: onServer(1, (server) => hang(server, longHangMs)) },
  { name: 'server 3 hangs for 20 s', happen: onServer(2, (server) => hang(server, longHangMs)) },
  {
    name: 'server 3 loses the database for 20 s without a reset',
    async happen({ lines }) {
      for (const line of lines) line.hold()
      await rest(longHangMs)
      for (const line of lines) line.goOn()
    },
  },
  {
    name: 'the clock of server 2 is 20 s ahead',
    happen: onServer(1, async (server) => {
      await server.startAgain(clockAhead(20_000))
      await rest(longHangMs)
      await server.startAgain()
    }),
  },
  { name: 'the disk of server 2 is full for 10 s', on: 'linux', happen: onServer(1, fillDisk) },
  {
    name: 'the disk of the standby is full, it ends and is started again',
    on: 'linux',
    // Nothing is acknowledged meanwhile: it would be on one machine only.
    async happen({ databases }) {
      await databases.fillStandby()
      await databases.startStandby()
    },
  },
  {
    name: 'kill -9 of NATS',
    async happen({ nats }) {
      await nats.kill()
      await rest(10_000)
      await nats.startAgain()
    },
  },
  { name: 'NATS hangs for 15 s', happen: ({ nats }) => hang(nats, 15_000) },
  {
    name: 'kill -9 of HAProxy',
    async happen({ balancer }) {
      await balancer.kill()
      await rest(2_000)
      balancer.startAgain()
    },
  },
  { name: 'HAProxy hangs for 5 s', happen: ({ balancer }) => hang(balancer, 5_000) },
  {
    name: 'the primary is killed, the standby takes over',
    inSmall: true,
    async happen(cell) {
      cell.databases.killPrimary()
      await promote(cell)
    },
  },
]
