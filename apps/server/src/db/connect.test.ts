import { sql } from 'kysely'
import { expect, inject, onTestFinished, test } from 'vitest'
import { adminQuery } from '#testing/scratch-database.ts'
import { connect } from './connect.ts'

test('a connection that dies between two statements fails its transaction and not the process', async () => {
  const { db, pool, close } = connect(inject('databaseUrl'), () => undefined)
  onTestFinished(close)
  const work = db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await adminQuery(inject('databaseUrl'), `select pg_terminate_backend(${rows[0]?.pid}, 5000)`)
    // The news of its end has arrived when the client is not usable any more.
    await expect
      .poll(() =>
        sql`select 1`.execute(tx).then(
          () => 'alive',
          () => 'dead',
        ),
      )
      .toBe('dead')
    await sql`select 1`.execute(tx)
  })
  await expect(work).rejects.toThrow()
  // Others get a new connection.
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('a connection that takes no writes any more is thrown away after its transaction, and the next one writes', async () => {
  const { db, pool, close } = connect(inject('databaseUrl'), () => undefined, 1)
  onTestFinished(close)
  const pidOf = async () => (await pool.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
  const before = await pidOf()
  await pool.query('set default_transaction_read_only = on')
  const work = db
    .transaction()
    .execute((tx) =>
      sql`create temporary table nothing ()`.execute(tx).then(() => sql`create table nothing ()`.execute(tx)),
    )
  await expect(work).rejects.toMatchObject({ code: '25006' })
  expect(await pidOf()).not.toBe(before)
  expect((await pool.query('show transaction_read_only')).rows).toEqual([{ transaction_read_only: 'off' }])
})
