/** Seals in the background what an older version left plain, or a rotation that was broken off left with an older key. */
import type { Logger } from 'pino'
import type { Background } from '#background/background.ts'
import type { Db } from '#db/schema.ts'
import { type Sweep, sweepSecrets } from '#db/sweep-secrets.ts'

const tellMs = 5_000
const retryMs = 60_000

/** Nothing is left that the newest key did not seal; so it needs not be looked for at every start. */
export async function noteSwept(db: Db): Promise<void> {
  await db
    .updateTable('secret_key')
    .set({ swept_at: new Date() })
    .where('id', '=', (newest) => newest.selectFrom('secret_key').select((eb) => eb.fn.max('id').as('id')))
    .execute()
}

const isSwept = async (db: Db): Promise<boolean> => {
  const newest = await db.selectFrom('secret_key').select('swept_at').orderBy('id', 'desc').executeTakeFirst()
  return newest?.swept_at != null
}

/** Once in a while, in words. */
export function makeTeller(say: (sealed: number, where: string) => void): NonNullable<Sweep['tell']> {
  let toldAt = performance.now()
  return (sealed, where) => {
    if (performance.now() - toldAt < tellMs) return
    toldAt = performance.now()
    say(sealed, where)
  }
}

/** @returns a function that ends it; the next start goes on */
export function startSealing(db: Db, log: Logger, background: Background): () => Promise<void> {
  const stop = new AbortController()
  const tell = makeTeller((sealed, where) =>
    log.info({ sealed, where }, 'secrets of an older version are being sealed'),
  )
  const loop = background.loop({
    name: 'secrets.seal',
    retryMs,
    async turn() {
      if (await isSwept(db)) return undefined
      const sums = await sweepSecrets(db, { signal: stop.signal, tell }).catch((error: unknown) => {
        if (!stop.signal.aborted) throw error
      })
      if (!sums) return undefined
      await noteSwept(db)
      if (sums.sealed > 0) log.info(sums, 'all secrets are sealed')
      if (sums.unreadable > 0) log.error(sums, 'some secrets cannot be opened with the keys of this server')
      return undefined
    },
  })
  loop.start()
  loop.wake()
  return () => {
    stop.abort()
    return loop.stop()
  }
}
