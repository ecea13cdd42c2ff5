/** Sessions of devices that connect: two statements for all that do so at the same time, one for those without a session. */
import type { OpenedSession, Opening } from '#ports/session-store.ts'
import { epochs, ids, type Query } from './query.ts'
import * as statements from './statements.ts'

/** Each device once: the rest goes into the next statement. */
function* rounds<T extends { deviceID: number }>(items: T[]): Generator<T[]> {
  for (let rest = items; rest.length > 0; ) {
    const round = new Map<number, T>()
    const later: T[] = []
    for (const item of rest) {
      if (round.has(item.deviceID)) later.push(item)
      else round.set(item.deviceID, item)
    }
    yield [...round.values()]
    rest = later
  }
}

async function openRound(
  query: Query,
  serverID: string,
  round: Opening[],
  fresh: (count: number) => void,
): Promise<Map<number, OpenedSession>> {
  const opened = new Map<number, OpenedSession>()
  if (round.length === 0) return opened
  const values = [ids(round), epochs(round), serverID]
  const rows = await query<{ device_id: number; epoch: number; fresh: boolean }>(statements.openSessions, values)
  for (const { device_id: deviceID, epoch } of rows)
    opened.set(deviceID, { holder: { deviceID, epoch }, filters: [], waits: false })
  const old = rows.filter((row) => !row.fresh).map(({ device_id }) => device_id)
  fresh(rows.length - old.length)
  if (old.length === 0) return opened
  type Stored = { device_id: number; filter: string | null; qos: number }
  for (const { device_id, filter, qos } of await query<Stored>(statements.readSessions, [old])) {
    const session = opened.get(device_id)
    if (!session) continue
    if (filter === null) session.waits = true
    else session.filters.push({ topic: filter, qos })
  }
  return opened
}

/**
 * Clean ones and others in the order in which they came.
 * @param fresh told how many there were not before
 */
export async function openSessions(
  query: Query,
  serverID: string,
  asked: Opening[],
  fresh: (count: number) => void,
): Promise<Array<OpenedSession | undefined>> {
  const answers = new Map<Opening, OpenedSession>()
  for (const round of rounds(asked)) {
    const clean = round.filter((one) => one.clean)
    if (clean.length > 0) await query(statements.endSessions, [ids(clean), epochs(clean)])
    const others = round.filter((one) => !one.clean)
    const opened = await openRound(query, serverID, others, fresh)
    for (const one of others) {
      const session = opened.get(one.deviceID)
      if (session) answers.set(one, session)
    }
  }
  return asked.map((one) => answers.get(one))
}
