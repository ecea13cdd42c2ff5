/**
 * Which device is at which server. HAProxy deals by the client id, and only when a device connects: after a server was
 * away its devices stay with the others, and whatever strikes it next would strike nobody.
 */
import { connectAsync } from 'mqtt'
import type pg from 'pg'
import { vi } from 'vitest'
import { eventually } from '../../../apps/server/src/testing/eventually.ts'
import type { Reporter } from '../load/reporter.ts'
import { stationClient } from '../platform.ts'
import type { Cell } from './cell.ts'

/** Of all devices, so many must be at a server that is struck. */
const leastShare = 1 / 5

interface Session {
  name: string
  serverID: string
}

export async function readSessions(database: pg.Client, productID: string): Promise<Session[]> {
  const { rows } = await database.query<Session>(
    `select device_name as name, server_id as "serverID" from device_session join device using (device_id)
     where product_id = $1`,
    [productID],
  )
  return rows
}

/** The balancer believes a server that has come up after two looks of 2 s each; a busy machine takes its time. */
const untilDealt = { timeout: 120_000, interval: 2_000 }

/**
 * Of more devices than are needed so many that each server gets alike many of them; the others are deleted.
 * @returns their numbers
 */
export async function chooseDevices(
  { balancer: { mqttPort }, servers }: Cell,
  database: pg.Client,
  { productID, candidates, devices }: { productID: string; candidates: number; devices: number },
): Promise<number[]> {
  const connectOne = (number: number) => {
    const { clientID, userName, password } = stationClient(productID, number)
    return connectAsync(`mqtt://127.0.0.1:${mqttPort}`, { clientId: clientID, username: userName, password })
  }
  const seen = async (count: number) => {
    const sessions = await readSessions(database, productID)
    if (sessions.length !== count) throw new Error(`${sessions.length} of ${candidates} devices are connected`)
    return sessions
  }
  const deal = async () => {
    const clients = await Promise.all(Array.from({ length: candidates }, (_, i) => connectOne(i)))
    const dealt = Map.groupBy(await eventually(() => seen(candidates)), (one) => one.serverID)
    await Promise.all(clients.map((client) => client.endAsync()))
    await eventually(() => seen(0))
    const hands = [...dealt.values()]
    const chosen = Array.from(
      { length: devices },
      (_, i) => hands[i % servers.length]?.[Math.floor(i / servers.length)],
    )
    const names = chosen.flatMap((one) => (one ? [one.name] : []))
    if (names.length < devices)
      throw new Error(`the balancer dealt ${hands.map((one) => one.length).join(', ')} devices`)
    return names
  }
  const names = await vi.waitFor(deal, untilDealt)
  await database.query('delete from device where product_id = $1 and device_name <> all($2)', [productID, names])
  return names.map((name) => Number(name.slice(1)))
}

/** What is struck must have devices, or nothing is shown. @param server its number */
export async function expectDevices({ servers }: Cell, reporters: Reporter[], server: number): Promise<void> {
  const count = (await servers[server]?.devices()) ?? 0
  // Also when it does not say.
  if (!(count >= reporters.length * leastShare))
    throw new Error(`server ${server + 1} has ${count} of ${reporters.length} devices: what strikes it shows nothing`)
}

/** Every device ends its connection once, so that it is dealt anew, until all servers have their share. */
export async function spread(cell: Cell, reporters: Reporter[]): Promise<void> {
  await cell.allReady()
  const deal = async () => {
    const back = reporters.map(({ client }) => new Promise<unknown>((resolve) => client.once('connect', resolve)))
    for (const { client } of reporters) client.stream.destroy()
    await Promise.all(back)
    for (const server of cell.servers.keys()) await expectDevices(cell, reporters, server)
  }
  await vi.waitFor(deal, untilDealt)
}
