/** Name, tags and groups of the devices whose messages are forwarded: remembered for a moment, asked for many at once. */
import type { Tag } from '@ithings/contract/wire.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { Clock } from '#ports/clock.ts'

export interface DeviceFacts {
  deviceName: string
  tags: Tag[]
  /** Groups it is in, and those above them. */
  groups: ReadonlySet<number>
}

const rememberMs = 10_000
/** About 520 bytes each with two tags and three groups, 100 MB when full (scaling.md "算一算"). */
const mostRemembered = 200_000

const query = (ids: number[]) => sql<{ id: number; name: string; tags: Tag[]; groups: number[] }>`
  with recursive up (device_id, group_id) as (
    select device_id, group_id from group_device where device_id = any (${ids}::bigint[])
    union
    select up.device_id, g.parent_id from up join device_group g on g.group_id = up.group_id
  )
  select d.device_id::float8 as id, device_name as name, tags,
    array(select group_id::float8 from up where up.device_id = d.device_id) as groups
  from device d where d.device_id = any (${ids}::bigint[])`

/** Devices that are gone are not there. */
export type FactsOf = (deviceIDs: Iterable<number>) => Promise<ReadonlyMap<number, DeviceFacts>>

export function makeDeviceFacts({ db, clock }: { db: Db; clock: Clock }): FactsOf {
  let since = clock.now()
  let known = new Map<number, DeviceFacts>()
  return async (deviceIDs) => {
    const now = clock.now()
    if (known.size > mostRemembered || now < since || now - since > rememberMs) {
      known = new Map()
      since = now
    }
    const facts = known
    const missing = [...new Set(deviceIDs)].filter((id) => !facts.has(id))
    if (missing.length === 0) return facts
    const { rows } = await query(missing).execute(db)
    for (const { id, name, tags, groups } of rows) facts.set(id, { deviceName: name, tags, groups: new Set(groups) })
    return facts
  }
}
