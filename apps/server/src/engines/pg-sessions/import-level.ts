/**
 * Sessions that an earlier version stored in DATA_DIR/mqtt (LevelDB) come into the database, once. Messages leave the
 * folder when they are in: a start that is interrupted goes on, and repeats a few of them at worst.
 */

import { access, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ownerOf } from '@ithings/contract/device/topics.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { ClassicLevel } from 'classic-level'
import type pg from 'pg'
import type { Logger } from 'pino'
import { TerminalError } from '#terminal.ts'

const portion = 100

type Level = ClassicLevel<string, Buffer>

const isThere = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )

/** Undefined: it is damaged beyond repair. */
async function openLevel(folder: string): Promise<Level | undefined> {
  // Only whoever has such a folder needs it.
  const { ClassicLevel } = await import('classic-level')
  const level = new ClassicLevel<string, Buffer>(folder, { valueEncoding: 'buffer' })
  try {
    await level.open()
    return level
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string }
    if (code === 'LEVEL_LOCKED') {
      throw new TerminalError(phrase('{folder} 正被另一台服务器使用：每台服务器要有自己的 DATA_DIR', { folder }), {
        cause: error,
      })
    }
    if (code !== 'LEVEL_CORRUPTION') throw error
  }
  try {
    await ClassicLevel.repair(folder)
    await level.open()
    return level
  } catch {
    return undefined
  }
}

async function* portions(level: Level, prefix: string): AsyncGenerator<Array<[string, Buffer]>> {
  let entries: Array<[string, Buffer]> = []
  // U+FFFF sorts behind everything that the keys hold.
  for await (const entry of level.iterator({ gte: prefix, lt: `${prefix}\uffff` })) {
    entries.push(entry)
    if (entries.length < portion) continue
    yield entries
    entries = []
  }
  if (entries.length > 0) yield entries
}

/** `product/device#id` of a key like `q\0product/device#id\0…`. */
const nameOf = (key: string): string => key.split('\0')[1] ?? ''
const idOf = (key: string): number => Number(nameOf(key).slice(nameOf(key).lastIndexOf('#') + 1)) || 0
const restOf = (key: string): string => key.split('\0')[2] ?? ''
const keysOf = (entries: Array<[string, Buffer]>) => entries.map(([key]) => key)

/** A device that has connected to another server since has a newer session: its filters are not touched. */
async function importSessions(level: Level, pool: pg.Pool): Promise<number> {
  let sessions = 0
  for await (const entries of portions(level, 'c\0')) {
    const values = [keysOf(entries).map(idOf), keysOf(entries).map(nameOf), entries.map(([, seen]) => Number(seen))]
    const { rowCount } = await pool.query(
      `insert into mqtt_session (device_id, epoch, seen_at)
       select device_id, 0, to_timestamp(seen / 1000.0)
       from unnest($1::bigint[], $2::text[], $3::bigint[]) as told (device_id, name, seen) join device using (device_id)
       where name = product_id || '/' || device_name || '#' || device_id
       on conflict do nothing`,
      values,
    )
    sessions += rowCount ?? 0
  }
  for await (const entries of portions(level, 's\0')) {
    const filters = keysOf(entries).map(restOf)
    await pool.query(
      `insert into mqtt_filter (device_id, filter, qos, owner)
       select device_id, filter, qos, owner
       from unnest($1::bigint[], $2::text[], $3::smallint[], $4::text[]) as told (device_id, filter, qos, owner)
       join mqtt_session using (device_id) where epoch = 0
       on conflict do nothing`,
      [keysOf(entries).map(idOf), filters, entries.map(([, qos]) => qos.readUInt8(0)), filters.map(ownerOf)],
    )
  }
  return sessions
}

function unpack(value: Buffer): { topic: string; payload: Buffer } {
  const end = 2 + value.readUInt16BE(0)
  return { topic: value.toString('utf8', 2, end), payload: value.subarray(end) }
}

async function importMessages(level: Level, pool: pg.Pool): Promise<number> {
  let messages = 0
  for await (const entries of portions(level, 'q\0')) {
    const told = entries.map(([, value]) => unpack(value))
    const { rowCount } = await pool.query(
      `insert into mqtt_message (device_id, topic, payload, is_sent)
       select device_id, topic, payload, false
       from unnest($1::bigint[], $2::text[], $3::bytea[]) with ordinality as told (device_id, topic, payload, ord)
       join mqtt_session using (device_id) order by ord`,
      [keysOf(entries).map(idOf), told.map(({ topic }) => topic), told.map(({ payload }) => payload)],
    )
    messages += rowCount ?? 0
    await level.batch(entries.map(([key]) => ({ type: 'del' as const, key })))
  }
  return messages
}

export async function importLevel(folder: string, pool: pg.Pool, log: Logger): Promise<void> {
  if (!(await isThere(join(folder, 'CURRENT')))) return
  const level = await openLevel(folder)
  if (!level) {
    await rm(`${folder}.broken`, { recursive: true, force: true })
    await rename(folder, `${folder}.broken`)
    log.warn({ folder }, 'the stored MQTT sessions of an earlier version are damaged and have been put aside')
    return
  }
  try {
    const sessions = await importSessions(level, pool)
    const messages = await importMessages(level, pool)
    log.info({ folder, sessions, messages }, 'stored MQTT sessions of an earlier version are in the database now')
  } finally {
    await level.close()
  }
  await rm(folder, { recursive: true })
}
