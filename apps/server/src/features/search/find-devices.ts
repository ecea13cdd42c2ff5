/**
 * Devices by name and alias, quickly among a million (goals.md "Large screen": at most 100 ms). Beginnings are found
 * along the indexes of the order by name and alias; what only contains the word, by the shapes and trigrams of
 * migration 0007, and only when there is still room. Each look ends after a few devices.
 */
import type { SearchHit } from '@ithings/contract/features/search.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { type DeviceRow, devicesByID, devicesWithWord } from '#features/devices/door.ts'

const columns = ['device_name', 'device_alias'] as const

/** Sorts behind everything that begins with the text: the database compares bytes. */
const behind = (text: string) => `${text}\u{10FFFF}`

/** As it was typed and in the cases that names are nearly always in: pump, PUMP, Pump. */
function spellings(typed: string): string[] {
  const lower = typed.toLowerCase()
  return [...new Set([typed, lower, typed.toUpperCase(), lower.charAt(0).toUpperCase() + lower.slice(1)])]
}

async function beginningWith(db: Db, typed: string, limit: number): Promise<number[]> {
  const looks = spellings(typed).flatMap((text) =>
    columns.map((column) => {
      const name = sql.ref(column)
      return sql`(select device_id from device where ${name} >= ${text} and ${name} < ${behind(text)}
        order by ${name} limit ${limit})`
    }),
  )
  const { rows } = await sql<{ device_id: number }>`${sql.join(looks, sql` union `)}`.execute(db)
  return rows.map((row) => row.device_id)
}

/** No index helps with one or two letters of which one is a digit: 7, 12, a1. Such are in very many texts. */
const isPoor = (keyword: string) => /^[a-z0-9]{1,2}$/.test(keyword) && /[0-9]/.test(keyword)
/** So the newest devices are asked one by one: all of them on most platforms, and never for long. */
const newestAsked = 50_000

async function newestContaining(db: Db, keyword: string, limit: number): Promise<number[]> {
  const { rows } = await sql<{ device_id: number }>`
    select device_id from (select * from device_text order by device_id desc limit ${newestAsked}) newest
    where strpos(name, ${keyword}) > 0 or strpos(alias, ${keyword}) > 0 limit ${limit}`.execute(db)
  return rows.map((row) => row.device_id)
}

/** Materialized: the plan for all matches, not one that hopes to meet the first few soon; it stops at the limit all the same. */
async function containing(db: Db, keyword: string, limit: number): Promise<number[]> {
  if (isPoor(keyword)) return newestContaining(db, keyword, limit)
  const ids = await devicesWithWord(db, ['name', 'alias'], keyword)
  if (!ids) return []
  const { rows } = await sql<{ device_id: number }>`
    with matches as materialized (${ids}) select device_id from matches limit ${limit}`.execute(db)
  return rows.map((row) => row.device_id)
}

/** 0 exact, 1 begins with it, 2 contains it. */
function rankOf({ device_name, device_alias }: DeviceRow, keyword: string): number {
  const texts = [device_name.toLowerCase(), device_alias.toLowerCase()]
  if (texts.includes(keyword)) return 0
  return texts.some((text) => text.startsWith(keyword)) ? 1 : 2
}

const toHit = (row: DeviceRow): SearchHit => ({
  kind: 'device',
  id: row.device_name,
  productID: row.product_id,
  name: row.device_alias || row.device_name,
  detail: row.device_alias ? `${row.device_name} · ${row.product_name}` : row.product_name,
})

export async function findDevices(db: Db, keyword: string, typed: string, limit: number): Promise<SearchHit[]> {
  const first = await beginningWith(db, typed, limit)
  // As many again: those that begin with the word contain it too.
  const more = first.length < limit ? await containing(db, keyword, limit + first.length) : []
  const rows = await devicesByID(db, [...new Set([...first, ...more])])
  const ranked = rows.map((row) => ({ row, rank: rankOf(row, keyword) }))
  ranked.sort(
    (a, b) =>
      a.rank - b.rank ||
      a.row.device_name.length - b.row.device_name.length ||
      (a.row.device_name < b.row.device_name ? -1 : 1),
  )
  return ranked.slice(0, limit).map(({ row }) => toHit(row))
}
