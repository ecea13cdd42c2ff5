/**
 * What devices said lately, as the journal knows it. Each device is asked for once after a start, so a whole fleet is at
 * once: a question each would keep all connections of the pool busy for longer than a message may wait for its store.
 */
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'
import { fingerprint, rememberMs } from '#uplink/repeats.ts'

/** At most what the memory of one device holds. */
const mostRecent = 256
const devicesAQuestion = 50
const questionsAtOnce = 2

interface RecentRow {
  device_id: number
  token: string
  device_time: number
  data_id: string
  content: string
}

interface Waiting {
  deviceID: number
  resolve(prints: number[]): void
  reject(error: unknown): void
}

async function ask(db: Db, since: number, deviceIDs: number[]): Promise<Map<number, number[]>> {
  const { rows } = await sql<RecentRow>`
    select given.device_id, recent.*
    from unnest(${deviceIDs}::bigint[]) as given (device_id)
    cross join lateral (
      select at, token, device_time, data_id, content from journal
      where journal.device_id = given.device_id and at > ${since} and adds
      order by at desc limit ${mostRecent}
    ) as recent
    order by recent.at desc`.execute(db)
  const prints = new Map<number, number[]>(deviceIDs.map((deviceID) => [deviceID, []]))
  for (const { device_id, token, device_time, data_id, content } of rows) {
    prints.get(device_id)?.push(fingerprint(token, device_time, data_id, content))
  }
  return prints
}

/** @returns fingerprints of what a device sent in the last ten minutes, the newest first */
export function makeRecentMessages(db: Db, clock: Clock): (deviceID: number) => Promise<number[]> {
  let waiting: Waiting[] = []
  let running = 0
  let asksSoon = false

  const answer = async (some: Waiting[]) => {
    try {
      const prints = await ask(db, clock.now() - rememberMs, [...new Set(some.map(({ deviceID }) => deviceID))])
      for (const { deviceID, resolve } of some) resolve(prints.get(deviceID) ?? [])
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
