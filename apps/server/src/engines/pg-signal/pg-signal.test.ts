import pg from 'pg'
import { inject } from 'vitest'
import { openDeafProxy } from '#testing/deaf-proxy.ts'
import { adminQuery, makeScratchDatabase } from '#testing/scratch-database.ts'
import { signalContract } from '#testing/signal-contract.ts'
import { makePgSignal } from './pg-signal.ts'

signalContract(async () => {
  const database = await makeScratchDatabase(inject('databaseUrl'))
  const pool = new pg.Pool({ connectionString: database.url })
  pool.on('error', () => {})
  const closers: Array<() => Promise<unknown>> = [() => pool.end(), () => database.drop()]
  return {
    make: (patience) => makePgSignal(database.url, pool, () => {}, patience),
    cut: () =>
      adminQuery(
        inject('databaseUrl'),
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name = 'ithings-core signal' and datname = '${database.name}'`,
      ).then(() => undefined),
    async makeHanging(patience) {
      const proxy = await openDeafProxy(database.url)
      closers.unshift(() => proxy.close())
      const hang = () => {
        proxy.loses = 'pg_notify'
      }
      const signal = makePgSignal(proxy.url, pool, () => {}, patience)
      // Only one connection hears nothing; the next one is a new one.
      return { signal, hang, endHanging() {} }
    },
    async close() {
      for (const close of closers) await close()
    },
  }
})
