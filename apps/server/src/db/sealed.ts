/**
 * Secrets at rest: sealed with AES-256-GCM on their way into the database, opened on their way out. Below the features
 * because many of them keep secrets. A sealed value is `s1:<id of its key>:<base64url of nonce, ciphertext and tag>`; what
 * does not look like that is from before and plain.
 *
 * A value is bound to its place (additional data), so that one that was copied into another column or row does not open.
 * The row is part of the place where it has a name before it is stored, which never changes: of channels, notices and
 * scenes it has not, and a run copies the actions of its scene.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'
import { PostgresAdapter, PostgresDialect, type PostgresDialectConfig } from 'kysely'
import type { Db } from './schema.ts'
import type { Sealed } from './sealed-column.ts'

export const places = {
  /** Of the secret before it too: a rotation moves it there as it is. */
  device: (productID: string, deviceName: string) => ['device.secret', productID, deviceName].join('\n'),
  product: (productID: string) => ['product.secret', productID].join('\n'),
  platformKey: (name: string) => ['platform_key.secret', name].join('\n'),
  totp: (userID: number) => ['app_user.totp_secret', userID].join('\n'),
  channel: 'notify_channel.settings',
  delivery: 'notify_delivery.settings',
  scene: 'scene.actions',
  forward: 'forward_rule.target',
  signOn: 'sign_on_provider.client_secret',
  signOnToken: (sid: string) => ['sign_on_session.id_token', sid].join('\n'),
  /** In no column: what a browser keeps while somebody signs in elsewhere. */
  signOnFlow: 'sign-on flow',
  plan: 'config_plan.changes',
}

export const keyBytes = 32
const cipherName = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
const form = /^s1:([0-9a-f]{8}):([\w-]+)$/

/** Tells keys apart without telling them. */
export const markOfKey = (key: Uint8Array): string =>
  createHmac('sha256', key).update('ithings secret key').digest('hex')
export const idOfMark = (mark: string): string => mark.slice(0, 8)

export interface KeyRing {
  /** What a value begins with that needs no sealing anew. */
  readonly prefix: string
  seal(place: string, plain: string): Sealed
  open(place: string, stored: string): string
}

/** @param keys the first one seals, all of them open */
export function makeKeyRing(keys: readonly Uint8Array[]): KeyRing {
  const [own] = keys
  if (!own) throw new Error('there is no key to seal with')
  const byID = new Map(keys.map((key) => [idOfMark(markOfKey(key)), key]))
  const prefix = `s1:${idOfMark(markOfKey(own))}:`
  return {
    prefix,
    seal(place, plain) {
      // Nothing is no secret, and columns are asked for it.
      if (plain === '') return '' as Sealed
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(cipherName, own, nonce).setAAD(Buffer.from(place))
      const parts = [nonce, cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()]
      return `${prefix}${Buffer.concat(parts).toString('base64url')}` as Sealed
    },
    open(place, stored) {
      const [, id = '', text = ''] = form.exec(stored) ?? []
      if (text === '') return stored
      const key = byID.get(id)
      const where = place.split('\n').join(' ')
      if (!key) throw new Error(`${where} is sealed with the key ${id}, which this server does not have`)
      const bytes = Buffer.from(text, 'base64url')
      try {
        const decipher = createDecipheriv(cipherName, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
        decipher.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-tagBytes))
        return decipher.update(bytes.subarray(nonceBytes, -tagBytes), undefined, 'utf8') + decipher.final('utf8')
      } catch (cause) {
        throw new Error(`${where} was changed in the database, or belongs to another place`, { cause })
      }
    },
  }
}

/** The keys travel with the database handle: whoever can read a row can open it, in a transaction too. */
class AdapterWithKeys extends PostgresAdapter {
  readonly keys: KeyRing
  constructor(keys: KeyRing) {
    super()
    this.keys = keys
  }
}

export class DialectWithKeys extends PostgresDialect {
  readonly #keys: KeyRing
  constructor(config: PostgresDialectConfig, keys: KeyRing) {
    super(config)
    this.#keys = keys
  }
  override createAdapter() {
    return new AdapterWithKeys(this.#keys)
  }
}

export function keysOf(db: Db): KeyRing {
  const { adapter } = db.getExecutor()
  if (adapter instanceof AdapterWithKeys) return adapter.keys
  throw new Error('this connection was opened without the keys of secrets')
}

export const seal = (db: Db, place: string, plain: string): Sealed => keysOf(db).seal(place, plain)
export const open = (db: Db, place: string, stored: string): string => keysOf(db).open(place, stored)

/** Columns of bytes hold the sealed text as bytes. */
export const sealBytes = (db: Db, place: string, plain: Uint8Array): Buffer =>
  Buffer.from(seal(db, place, Buffer.from(plain).toString('base64')))

export function openBytes(db: Db, place: string, stored: Buffer): Buffer {
  const text = stored.toString('latin1')
  return form.test(text) ? Buffer.from(open(db, place, text), 'base64') : stored
}

/** Columns of JSON hold the sealed text as a JSON string. @returns JSON text */
export const sealJson = (db: Db, place: string, text: string): string => JSON.stringify(seal(db, place, text))
export const openJson = (db: Db, place: string, stored: unknown): unknown =>
  typeof stored === 'string' ? JSON.parse(open(db, place, stored)) : stored
