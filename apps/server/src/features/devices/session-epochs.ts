/** Numbers of connections: of two connections of a device, on whatever servers, the newer one has the higher number. */
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'

/** All who connect while the database is asked are answered by the next question together. */
export function makeSessionEpochs(db: Db): { next(): Promise<number> } {
  let waiting: Array<PromiseWithResolvers<number>> = []
  let asking = false

  const ask = async () => {
    asking = true
    while (waiting.length > 0) {
      const asked = waiting
      waiting = []
      try {
        const { rows } = await sql<{ epoch: number }>`
          select nextval('device_session_epoch') as epoch from generate_series(1, ${asked.length}::integer)`.execute(db)
        for (const [index, one] of asked.entries()) {
          const epoch = rows[index]?.epoch
          if (epoch === undefined) one.reject(new Error('the sequence of connections gave no number'))
          else one.resolve(epoch)
        }
      } catch (error) {
        for (const one of asked) one.reject(error)
      }
    }
    asking = false
  }

  return {
    next() {
      const one = Promise.withResolvers<number>()
      waiting.push(one)
      if (!asking) void ask()
      return one.promise
    },
  }
}
