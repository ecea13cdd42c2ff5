/** Pages far inside the whole list: counts of stretches of it say where they begin. */

import type { PageWindow } from '@ithings/contract/paging.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'

/** Ids a block, as in migration 0008. */
const blockSize = 4096

/** In the order of the ids: device_block counts the devices of each block of them. */
export async function pageByID(db: Db, { offset, limit }: PageWindow, desc: boolean): Promise<number[]> {
  const direction = desc ? sql`desc` : sql`asc`
  const { rows } = await sql<{ device_id: number }>`
    with blocks as (select block, sum(devices)::bigint as devices from device_block group by block),
    placed as (select block, sum(devices) over (order by block ${direction}) - devices as before from blocks),
    found as materialized (select block, before from placed where before <= ${offset} order by block ${desc ? sql`asc` : sql`desc`} limit 1)
    select device_id from device
    where ${
      desc
        ? sql`device_id < (select block + 1 from found) * ${blockSize}`
        : sql`device_id >= (select block from found) * ${blockSize}`
    }
    order by device_id ${direction}
    limit ${limit} offset ${offset} - (select before from found)`.execute(db)
  return rows.map((row) => row.device_id)
}

/** In the order of names, counted from the first one on; who wants them downwards turns the page around. */
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
