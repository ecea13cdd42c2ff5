/** A page of the whole list in the order of the ids: device_block says where it begins, however far inside. */
import type { PageWindow } from '@ithings/contract/paging.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'

/** Ids a block, as in migration 0008. */
const blockSize = 4096

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
