import { expect, inject, onTestFinished, test } from 'vitest'
import { connect } from '#db/connect.ts'
import { openDeafProxy } from '#testing/deaf-proxy.ts'

test('a connection whose answer was lost ends; one that waits for long work stays, and so does one that is idle', async () => {
  const proxy = await openDeafProxy(inject('databaseUrl'))
  onTestFinished(() => proxy.close())
  // Two ways to one database.
  const url = proxy.url.replace(/127\.0\.0\.1(:\d+)/, '127.0.0.1$1,localhost$1')
  const { pool, close } = connect(url, () => undefined, 4)
  onTestFinished(close)
  const [holder, idle, waiting] = [await pool.connect(), await pool.connect(), await pool.connect()]
  await holder.query('select pg_advisory_lock(16000001)')
  const locked = waiting.query('select pg_advisory_lock(16000001)')

  proxy.loses = 'that nobody hears'
  const lost = pool.query(`select 'that nobody hears'`)
  await expect(lost).rejects.toThrow('the answer of the database was lost')

  await holder.query('select pg_advisory_unlock(16000001)')
  await locked
  await idle.query('select 1')
  for (const one of [holder, idle, waiting]) one.release()
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})
