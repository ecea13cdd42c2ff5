/**
 * What devices said lately, as the journal knows it. Each device is asked for once after a start, so a whole fleet is at
 * once: a question each would keep all connections of the pool busy for longer than a message may wait for its store.
 */
import { aheadMs } from '@ithings/contract/durations.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'
import { type JournalEntry, JournalKind } from '#ports/journal.ts'

/** At most what the corridor remembers of one device (uplink/repeats.ts). */
const mostRecent = 256
const devicesAQuestion = 50
const questionsAtOnce = 2

export interface RecentMessage {
  token: string
  deviceTime: number
  dataID: string
  content: string
}

interface Waiting {
  deviceID: number
  resolve(messages: RecentMessage[]): void
  reject(error: unknown): void
}

async function ask(db: Db, since: number, deviceIDs: number[]): Promise<Map<number, RecentMessage[]>> {
  const { rows } = await sql<RecentMessage & { deviceID: number }>`
    select given.device_id as "deviceID", token, device_time as "deviceTime", data_id as "dataID", content
    from unnest(${deviceIDs}::bigint[]) as given (device_id)
    cross join lateral (
      select at, token, device_time, data_id, content from journal
      where journal.device_id = given.device_id and at > ${since} and adds
      order by at desc limit ${mostRecent}
    ) as recent
    order by recent.at desc`.execute(db)
  const messages = new Map<number, RecentMessage[]>(deviceIDs.map((deviceID) => [deviceID, []]))
  for (const { deviceID, ...message } of rows) messages.get(deviceID)?.push(message)
  return messages
}

/** @returns what a device sent in the last `recentMs`, the newest first */
export function makeRecentMessages(
  db: Db,
  clock: Clock,
  recentMs: number,
): (deviceID: number) => Promise<RecentMessage[]> {
  let waiting: Waiting[] = []
  let running = 0
  let asksSoon = false

  const answer = async (some: Waiting[]) => {
    try {
      const messages = await ask(db, clock.now() - recentMs, [...new Set(some.map(({ deviceID }) => deviceID))])
      for (const { deviceID, resolve } of some) resolve(messages.get(deviceID) ?? [])
    } catch (error) {
      for (const { reject } of some) reject(error)
    }
    running--
    next()
  }

  const next = () => {
    while (running < questionsAtOnce && waiting.length > 0) {
      const some = waiting.slice(0, devicesAQuestion)
      waiting = waiting.slice(devicesAQuestion)
      running++
      void answer(some)
    }
  }

  return (deviceID) =>
    new Promise((resolve, reject) => {
      waiting.push({ deviceID, resolve, reject })
      if (asksSoon) return
      // All that came in one turn are asked for together.
      asksSoon = true
      setImmediate(() => {
        asksSoon = false
        next()
      })
    })
}

/**
 * Whether another row says the same as this one, which was stored by this server. What makes two messages the same stands
 * in uplink/repeats.ts. All of the time around it is looked through: a device may have said very much since.
 */
export async function isStoredAgain(db: Db, entry: JournalEntry, aroundMs: number): Promise<boolean> {
  const { deviceID, at, seq, deviceTime, dataID, token, content } = entry
  const byToken = deviceTime === 0 || dataID !== ''
  const { rows } = await sql<{ again: boolean }>`
    select exists (
      select from journal
      where device_id = ${deviceID} and at between ${at - aroundMs} and ${at + aroundMs} and (at, seq) <> (${at}, ${seq})
        and adds and device_time = ${deviceTime} and data_id = ${dataID} and content = ${content}
        and (token = ${token} or not ${byToken})
    ) as again`.execute(db)
  return rows[0]?.again ?? false
}

/** Of what is not packed yet; a device that says more in an hour is looked through no further. */
const mostLookedAt = 20_000

/** Whether this event of this device time is stored already, packed or not. */
export async function knowsEvent(
  db: Db,
  deviceID: number,
  { time, eventID, token }: { time: number; eventID: string; token: string },
): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`
    select exists (
      select from device_event
      where device_id = ${deviceID} and time = ${time} and event_id = ${eventID} and token = ${token}
    ) or exists (
      select from (
        select device_time, data_id, token, kind, adds from journal
        where device_id = ${deviceID}
          and at >= greatest(${time - aheadMs}::bigint, (select coalesce(max(hour), 0) * 3600000 from pack_state))
        order by at limit ${mostLookedAt}
      ) hot
      where adds and kind = ${JournalKind.event} and device_time = ${time} and data_id = ${eventID} and token = ${token}
    ) as known`.execute(db)
  return rows[0]?.known ?? false
}
