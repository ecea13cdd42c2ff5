/**
 * Seals what is plain (from an older version) or sealed with an older key. In small batches that wait for no lock and hold
 * none for long, so that everything goes on meanwhile; what is done is passed over when it is begun anew.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import { openReceivers, sealReceivers } from './scene-receivers.ts'
import type { Db } from './schema.ts'
import { keysOf, open, openBytes, openJson, places, seal, sealBytes, sealJson } from './sealed.ts'

const batchRows = 500
const busyMs = 200

type Row = Record<string, string>

/** How values travel (all as text), what needs sealing, and how it is done. */
interface Kind {
  read(column: RawBuilder<unknown>): RawBuilder<unknown>
  write(text: RawBuilder<unknown>): RawBuilder<unknown>
  stale(column: RawBuilder<unknown>, prefix: string): RawBuilder<boolean>
  reseal(db: Db, place: string, value: string): string
}

const asIs = (one: RawBuilder<unknown>) => one

const text: Kind = {
  read: asIs,
  write: asIs,
  stale: (column, prefix) => sql`${column} <> '' and not starts_with(${column}, ${prefix})`,
  reseal: (db, place, value) => seal(db, place, open(db, place, value)),
}

const bytes: Kind = {
  read: (column) => sql`encode(${column}, 'hex')`,
  write: (hex) => sql`decode(${hex}, 'hex')`,
  stale: (column, prefix) => sql`${column} is not null and not starts_with(encode(${column}, 'escape'), ${prefix})`,
  reseal: (db, place, hex) => sealBytes(db, place, openBytes(db, place, Buffer.from(hex, 'hex'))).toString('hex'),
}

const json: Kind = {
  read: (column) => sql`${column}::text`,
  write: (value) => sql`${value}::jsonb`,
  // Notices that are over have none.
  stale: (column, prefix) => sql`${column} <> '{}' and not starts_with(${column} #>> '{}', ${prefix})`,
  reseal: (db, place, value) => sealJson(db, place, JSON.stringify(openJson(db, place, JSON.parse(value)))),
}

const resealActions: Kind['reseal'] = (db, _, value) =>
  JSON.stringify(sealReceivers(db, openReceivers(db, JSON.parse(value))))
const staleReceiver: Kind['stale'] = (column, prefix) => sql`${column}::text ~ ${`"(url|secret)": ?"(?!${prefix})[^"]`}`
const actions: Kind = { ...text, stale: staleReceiver, reseal: resealActions }
const plan: Kind = { ...json, stale: staleReceiver, reseal: resealActions }

interface SealedColumn {
  table: string
  column: string
  kind: Kind
  /** By which rows are walked, and its type. */
  key: string
  keyType: 'bigint' | 'text'
  place(row: Row): string
  /** What the place is made of beside the key. */
  with?: string[]
}

const ofDevice = ({ product_id = '', device_name = '' }: Row) => places.device(product_id, device_name)
const device = { table: 'device', kind: text, key: 'device_id', keyType: 'bigint', place: ofDevice } as const
const product = { table: 'product', kind: text, key: 'product_id', keyType: 'text' } as const
const ofProduct = ({ key = '' }: Row) => places.product(key)

/** Old secrets after new ones: a rotation of a secret meanwhile moves a plain one into the old one's column. */
const columns: SealedColumn[] = [
  {
    table: 'platform_key',
    column: 'secret',
    kind: bytes,
    key: 'name',
    keyType: 'text',
    place: ({ key = '' }) => places.platformKey(key),
  },
  {
    table: 'app_user',
    column: 'totp_secret',
    kind: bytes,
    key: 'user_id',
    keyType: 'bigint',
    place: ({ key }) => places.totp(Number(key)),
  },
  { ...product, column: 'secret', place: ofProduct },
  { ...product, column: 'old_secret', place: ofProduct },
  {
    table: 'notify_channel',
    column: 'settings',
    kind: json,
    key: 'id',
    keyType: 'bigint',
    place: () => places.channel,
  },
  {
    table: 'notify_delivery',
    column: 'settings',
    kind: json,
    key: 'id',
    keyType: 'bigint',
    place: () => places.delivery,
  },
  { table: 'forward_rule', column: 'target', kind: json, key: 'id', keyType: 'bigint', place: () => places.forward },
  {
    table: 'sign_on_provider',
    column: 'client_secret',
    kind: text,
    key: 'id',
    keyType: 'bigint',
    place: () => places.signOn,
  },
  {
    table: 'sign_on_session',
    column: 'id_token',
    kind: text,
    key: 'sid',
    keyType: 'text',
    place: ({ key = '' }) => places.signOnToken(key),
  },
  { table: 'config_plan', column: 'changes', kind: json, key: 'id', keyType: 'bigint', place: () => places.plan },
  { table: 'scene', column: 'actions', kind: actions, key: 'id', keyType: 'bigint', place: () => places.scene },
  { table: 'scene_run', column: 'plan', kind: plan, key: 'run_id', keyType: 'bigint', place: () => places.scene },
  { ...device, column: 'secret', with: ['product_id', 'device_name'] },
  { ...device, column: 'old_secret', with: ['product_id', 'device_name'] },
]

export interface Sweep {
  signal?: AbortSignal
  /** After every batch: how many were sealed so far, and where it is. */
  tell?(sealed: number, where: string): void | Promise<void>
}

interface Sums {
  sealed: number
  /** Values that no key opens; they are left as they are. */
  unreadable: number
}

async function readBatch(db: Db, one: SealedColumn, after: string | undefined): Promise<Row[]> {
  const { kind, keyType } = one
  const [column, key] = [sql.ref(one.column), sql.ref(one.key)]
  const beside = (one.with ?? []).map((name) => sql`, ${sql.ref(name)}`)
  const from = after === undefined ? sql`` : sql`and ${key} > ${after}::${sql.raw(keyType)}`
  const { rows } = await sql<Row>`
    select ${key}::text as key, ${kind.read(column)} as value ${sql.join(beside, sql``)} from ${sql.table(one.table)}
    where ${kind.stale(column, keysOf(db).prefix)} ${from} order by ${key} limit ${batchRows}`.execute(db)
  return rows
}

/** Only what is still as it was read, and locked by nobody. @returns how many were written */
async function writeBatch(db: Db, one: SealedColumn, fresh: Array<{ key: string; was: string; now: string }>) {
  if (fresh.length === 0) return 0
  const { kind } = one
  const [table, column, key] = [sql.table(one.table), sql.ref(one.column), sql.ref(one.key)]
  const all = (name: 'key' | 'was' | 'now') => fresh.map((row) => row[name])
  const { numAffectedRows = 0n } = await sql`
    with given as (
      select key::${sql.raw(one.keyType)}, ${kind.write(sql`was`)} as was, ${kind.write(sql`now`)} as now
      from unnest(${all('key')}::text[], ${all('was')}::text[], ${all('now')}::text[]) as g (key, was, now)),
    free as (
      select ${key} as key from ${table} where ${key} = any(${all('key')}::${sql.raw(one.keyType)}[])
      for no key update skip locked)
    update ${table} set ${column} = given.now from given join free using (key)
    where ${sql.ref(`${one.table}.${one.key}`)} = given.key and ${sql.ref(`${one.table}.${one.column}`)} = given.was`.execute(
    db,
  )
  return Number(numAffectedRows)
}

/** Once through a column. @returns how many rows were busy */
async function pass(db: Db, one: SealedColumn, sums: Sums, { signal, tell }: Sweep): Promise<number> {
  let busy = 0
  let after: string | undefined
  sums.unreadable = 0
  for (;;) {
    signal?.throwIfAborted()
    const rows = await readBatch(db, one, after)
    if (rows.length === 0) return busy
    after = rows.at(-1)?.key
    const fresh = rows.flatMap((row) => {
      const { key = '', value: was = '' } = row
      try {
        return [{ key, was, now: one.kind.reseal(db, one.place(row), was) }]
      } catch {
        sums.unreadable++
        return []
      }
    })
    const written = await writeBatch(db, one, fresh)
    sums.sealed += written
    busy += fresh.length - written
    await tell?.(sums.sealed, `${one.table}.${one.column}`)
  }
}

export async function sweepSecrets(db: Db, sweep: Sweep = {}): Promise<Sums> {
  const total = { sealed: 0, unreadable: 0 }
  for (const one of columns) {
    const sums = { sealed: total.sealed, unreadable: 0 }
    while ((await pass(db, one, sums, sweep)) > 0) await wait(busyMs)
    total.sealed = sums.sealed
    total.unreadable += sums.unreadable
  }
  return total
}
