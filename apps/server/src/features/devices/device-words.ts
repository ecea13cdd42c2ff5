/**
 * Which devices have a word in their name or alias, quickly among a million (migration 0007). The few shapes of texts
 * are asked first: a word without digits is in a text exactly when it is in its shape, and a word with digits can only
 * be where its own shape is.
 */
import { type RawBuilder, sql } from 'kysely'
import { containsPattern } from '#db/page.ts'
import type { Db } from '#db/schema.ts'

const fields = {
  name: { number: 1, text: sql.ref('device_text.name'), shape: sql.ref('device_text.name_shape') },
  alias: { number: 2, text: sql.ref('device_text.alias'), shape: sql.ref('device_text.alias_shape') },
} as const
export type WordField = keyof typeof fields

/** With more shapes than this the texts themselves are as good to look at. */
const manyShapes = 1_000

const digits = /[0-9]+/g
const isAscii = (text: string) => /^[\x20-\x7e]*$/.test(text)

async function shapesWith(db: Db, field: WordField, shape: string): Promise<string[]> {
  // The index of trigrams knows ASCII only; single characters find the rest.
  const chars = isAscii(shape) ? sql`` : sql`and string_to_array(shape, null) @> ${[...new Set(shape)]}::text[]`
  const { rows } = await sql<{ shape: string }>`
    select shape from device_shape
    where field = ${fields[field].number} and shape like ${containsPattern(shape)} ${chars}
    limit ${manyShapes + 1}`.execute(db)
  return rows.map((row) => row.shape)
}

/** About how many devices have one of these shapes: what the planner knows. */
async function devicesOfShapes(db: Db, field: WordField, shapes: string[]): Promise<number> {
  const { rows } = await sql<{ 'QUERY PLAN': Array<{ Plan: { 'Plan Rows': number } }> }>`
    explain (format json) select from device_text where ${fields[field].shape} = any(${shapes}::text[])`.execute(db)
  return rows[0]?.['QUERY PLAN'][0]?.Plan['Plan Rows'] ?? 0
}

/** Texts of so few devices are quicker to look at, along the index of their shapes or product, than any trigrams. */
const fewDevices = 20_000
/** Where the word has no three letters or digits in a row for the trigrams to find. */
const fewToPoorTrigrams = 200_000

/** On device_text; undefined: no device has the word there. */
async function wordCondition(
  db: Db,
  field: WordField,
  word: string,
  ofFewProducts: boolean,
): Promise<RawBuilder<boolean> | undefined> {
  const lower = word.toLowerCase()
  const shape = lower.replace(digits, '0')
  const { text, shape: column } = fields[field]
  const byTrigrams = sql<boolean>`${text} like ${containsPattern(lower)}`
  // No index of trigrams serves this one: of a word in which they know no character they would bring everything.
  const byLooking = sql<boolean>`strpos(${text}, ${lower}) > 0`
  if (ofFewProducts) return byLooking
  const usual = /[a-z0-9]/.test(lower) ? byTrigrams : byLooking
  // Nearly every text has a number.
  if (shape === '0') return usual
  const shapes = await shapesWith(db, field, shape)
  if (shapes.length === 0) return undefined
  if (shapes.length > manyShapes) return usual
  const shaped = sql<boolean>`${column} = any(${shapes}::text[])`
  if (!/[0-9]/.test(lower)) return shaped
  const few = /[a-z0-9]{3}/.test(lower) ? fewDevices : fewToPoorTrigrams
  const contains = (await devicesOfShapes(db, field, shapes)) <= few ? byLooking : byTrigrams
  return sql<boolean>`(${shaped} and ${contains})`
}

/** Searching the texts of such products is quicker than searching all texts. */
const fewOfProducts = 100_000

async function areFew(db: Db, products: string[]): Promise<boolean> {
  const { rows } = await sql<{ few: boolean }>`
    select coalesce(sum(devices), 0) <= ${fewOfProducts} as few from device_tally
    where product_id = any(${products}::text[])`.execute(db)
  return rows[0]?.few ?? false
}

/** A query of device ids; undefined: there are none. In several fields: in one of them. */
export async function devicesWithWord(
  db: Db,
  where: WordField[],
  word: string,
  products?: string[],
): Promise<RawBuilder<unknown> | undefined> {
  const ofFewProducts = products !== undefined && (await areFew(db, products))
  const found = await Promise.all(where.map((field) => wordCondition(db, field, word, ofFewProducts)))
  const conditions = found.filter((condition) => condition !== undefined)
  if (conditions.length === 0) return undefined
  const ofProducts = products ? sql`and device_text.product_id = any(${products}::text[])` : sql``
  return sql`select device_text.device_id from device_text where (${sql.join(conditions, sql` or `)}) ${ofProducts}`
}
