import { sql, type Transaction } from 'kysely'
import type { Db, Schema } from './schema.ts'

/**
 * A transaction as a handle for functions that begin one of their own: theirs becomes a part of it, which is taken back
 * alone when it fails. So what several functions do can be kept or dropped as a whole.
 */
export function nestable(outer: Transaction<Schema>): Db {
  let parts = 0
  const handle: Db = new Proxy(outer as Db, {
    get(target, name) {
      if (name === 'transaction') return () => ({ execute: part })
      const member: unknown = Reflect.get(target, name, target)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
  async function part<T>(work: (db: Db) => Promise<T>): Promise<T> {
    const place = sql.id(`part_${++parts}`)
    await sql`savepoint ${place}`.execute(outer)
    try {
      const result = await work(handle)
      await sql`release savepoint ${place}`.execute(outer)
      return result
    } catch (error) {
      await sql`rollback to savepoint ${place}`.execute(outer)
      throw error
    }
  }
  return handle
}
