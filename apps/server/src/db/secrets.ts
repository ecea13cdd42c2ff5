/** Secrets of devices and products, which are rotated alike; below the features because both have them. */
import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'

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

export const validSecrets = ({ secret, old_secret, old_secret_until }: Secrets, now: number): string[] =>
  now < old_secret_until ? [secret, old_secret] : [secret]

/** Columns of a rotation. A secret that was still in its grace is void: one before the new one is enough to keep. */
export function rotation(graceSeconds: number, now: number) {
  const until = graceSeconds === 0 ? 0 : now + graceSeconds * 1000
  return { secret: makeSecret(), old_secret: until === 0 ? '' : sql<string>`secret`, old_secret_until: until }
}

/** `str#` seconds; "0": only the newest secret is accepted. */
export const oldValidUntil = (until: number, now: number): string =>
  now < until ? String(Math.floor(until / 1000)) : '0'

/** Tells secrets apart without telling them. */
export const markOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')
