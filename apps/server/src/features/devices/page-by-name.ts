/** A page of the whole list in the order of names: device_name_fence says where it begins, however far inside. */
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'

/** Counted from the first name on; who wants them downwards turns the page around. */
export async function pageByName(db: Db, { offset, limit }: { offset: number; limit: number }): Promise<number[]> {
  const { rows } = await sql<{ device_id: number }>`
    with fences as (select name, sum(devices)::bigint as devices from device_name_fence group by name),
    placed as (select name, sum(devices) over (order by name) - devices as before from fences),
    found as materialized (select name, before from placed where before <= ${offset} order by name desc limit 1)
    select device_id from device where device_name >= (select name from found)
    order by device_name, device_id
    limit ${limit} offset ${offset} - (select before from found)`.execute(db)
  return rows.map((row) => row.device_id)
}

/** A fence that has grown beyond this is split, into fences of about the second number. */
const mostInFence = 16_384
const wantedInFence = 4_096

/** After many devices came at once, and now and then. */
export async function tidyNames(db: Db): Promise<number> {
  const { rows } = await sql<{ fences: number }>`
    select device_name_fence_tidy(${mostInFence}, ${wantedInFence}) as fences`.execute(db)
  return rows[0]?.fences ?? 0
}
