/** Secrets of devices and products, which are rotated alike; below the features because both have them. */
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from './schema.ts'
import { keysOf, seal } from './sealed.ts'
import type { Sealed } from './sealed-column.ts'

/**
 * Base64 of 20 random bytes. Never with a plus in front: in a file of credentials it would look like a
 * formula, and what guards spreadsheets from formulas would change it.
 */
export function makeSecret(): string {
  const secret = randomBytes(20).toString('base64')
  return secret.startsWith('+') ? makeSecret() : secret
}

export interface Secrets {
  secret: string
  old_secret: string
  /** Milliseconds; judged when somebody signs, so that servers that remember a device agree without being told. */
  old_secret_until: number
}

/** @param place of both, as a rotation moves one to the other's column */
export function openSecrets(
  db: Db,
  place: string,
  row: Record<'secret' | 'old_secret', Sealed> & Pick<Secrets, 'old_secret_until'>,
): Secrets {
  const { open } = keysOf(db)
  const { secret, old_secret, old_secret_until } = row
  return { secret: open(place, secret), old_secret: open(place, old_secret), old_secret_until }
}

export const validSecrets = ({ secret, old_secret, old_secret_until }: Secrets, now: number): string[] =>
  now < old_secret_until ? [secret, old_secret] : [secret]

/** Columns of a rotation. A secret that was still in its grace is void: one before the new one is enough to keep. */
export function rotation(db: Db, place: string, graceSeconds: number, now: number) {
  const until = graceSeconds === 0 ? 0 : now + graceSeconds * 1000
  const secret = seal(db, place, makeSecret())
  return { secret, old_secret: until === 0 ? ('' as Sealed) : sql<Sealed>`secret`, old_secret_until: until }
}

/** `str#` seconds; "0": only the newest secret is accepted. */
export const oldValidUntil = (until: number, now: number): string =>
  now < until ? String(Math.floor(until / 1000)) : '0'

/** Tells secrets apart without telling them. */
export const markOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

const dropAtOnce = 10_000

/** An old secret whose grace is over opens nothing any more: it goes. @returns how many */
export async function dropOldSecrets(db: Db, now: number): Promise<number> {
  const { numAffectedRows: devices = 0n } = await sql`
    update device set old_secret = '', old_secret_until = 0 where device_id in (
      select device_id from device where old_secret_until > 0 and old_secret_until <= ${now}
      limit ${dropAtOnce} for no key update skip locked)`.execute(db)
  const { numAffectedRows: products = 0n } = await sql`
    update product set old_secret = '', old_secret_until = 0
    where old_secret_until > 0 and old_secret_until <= ${now}`.execute(db)
  return Number(devices + products)
}
