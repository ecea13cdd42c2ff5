/** Commands of people to devices: without a pause through everything, and those that must go from server to server. */

import { readCluster } from '@ithings/contract/features/cluster.ts'
import { sendProperty } from '@ithings/contract/features/commands.ts'
import { eventually } from '../../../apps/server/src/testing/eventually.ts'
import { openSession, type Post } from '../platform.ts'
import type { Cell } from './cell.ts'
import { openDatabase } from './cell-database.ts'
import { readSessions } from './spread.ts'

export interface Sent {
  /** ms of those that succeeded. */
  times: number[]
  /** What each of the others was answered. */
  failures: string[]
}

export interface Commands {
  /** Since it was last asked. */
  take(): Sent
  stop(): Promise<void>
}

interface Fleet {
  productID: string
  names: string[]
}

/** @returns ms, or why it was refused */
async function send(post: Post, productID: string, deviceName: string): Promise<number | string> {
  const begun = performance.now()
  return post(sendProperty.path, { productID, deviceName, data: '{"pump_on":1}' }).then(
    () => performance.now() - begun,
    (error: Error) => error.message,
  )
}

function note({ times, failures }: Sent, answer: number | string): void {
  if (typeof answer === 'string') failures.push(answer)
  else times.push(answer)
}

/** Beside each other: one that waits for a part that is away must not be all that is known of that time. */
const lanes = 4

/** In each lane one command after the other to one device after the other, through the balancer. */
export async function startCommands(origin: string, { productID, names }: Fleet, everyMs: number): Promise<Commands> {
  const { post } = await openSession(origin)
  let sent: Sent = { times: [], failures: [] }
  let isOver = false
  const run = async (lane: number) => {
    for (let i = lane; !isOver; i = (i + lanes) % names.length) {
      const answer = await send(post, productID, names[i] ?? '')
      note(sent, answer)
      await new Promise((resolve) => setTimeout(resolve, everyMs))
    }
  }
  const running = Array.from({ length: lanes }, (_, lane) => run(lane))
  return {
    take() {
      const taken = sent
      sent = { times: [], failures: [] }
      return taken
    },
    async stop() {
      isOver = true
      await Promise.all(running)
    },
  }
}

/** @returns for each device how to reach the servers that have not its connection */
export async function doorsElsewhere(cell: Cell, { productID, names }: Fleet): Promise<Array<[string, Post[]]>> {
  const doors = await Promise.all(
    cell.servers.map(async ({ origin }) => {
      const { post } = await openSession(origin)
      return { post, serverID: (await post(readCluster.path, {})).serverID }
    }),
  )
  const database = await openDatabase(cell)
  const sessions = await eventually(async () => {
    const found = await readSessions(database, productID)
    if (found.length < names.length) throw new Error(`${found.length} of ${names.length} devices are connected`)
    return found
  }).finally(() => database.end())
  return sessions.map(({ name, serverID }) => [
    name,
    doors.filter((door) => door.serverID !== serverID).map(({ post }) => post),
  ])
}

/** So many, each sent to a server that has not the connection of its device. */
export async function commandAcross(cell: Cell, fleet: Fleet, count: number): Promise<Sent> {
  const doors = await doorsElsewhere(cell, fleet)
  const sent: Sent = { times: [], failures: [] }
  for (let i = 0; i < count; i++) {
    const [name, posts] = doors[i % doors.length] as [string, Post[]]
    const post = posts[Math.floor(i / doors.length) % posts.length] as Post
    note(sent, await send(post, fleet.productID, name))
  }
  return sent
}
