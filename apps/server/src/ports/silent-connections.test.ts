import type { Socket } from 'node:net'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { connect } from '#db/connect.ts'
import { openDeafProxy } from '#testing/deaf-proxy.ts'
import { silentMs, watchConnection } from './silent-connections.ts'

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

test('a question that was sent only just is not lost because its backend has not taken it up yet', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const clientWith = (query: object | null) => {
    const destroy = vi.fn()
    const stream = { bytesRead: 0, destroy } as unknown as Socket
    return { destroy, client: { host: 'a', port: 1, connection: { stream }, _activeQuery: query } }
  }
  const ask = async (backends: number[]) => [
    { host: 'a', port: 1, atWork: Object.fromEntries(backends.map((one) => [one, false])) },
  ]
  const [silent, idle] = [clientWith({}), clientWith(null)]
  const leaves = [silent, idle].map(({ client }, backend) => watchConnection('somewhere', client, backend, ask))
  onTestFinished(() => {
    for (const leave of leaves) leave()
  })
  await vi.advanceTimersByTimeAsync(silentMs + 500)
  idle.client._activeQuery = {}
  await vi.advanceTimersByTimeAsync(1_000)
  expect(silent.destroy).toHaveBeenCalled()
  expect(idle.destroy).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(2 * silentMs)
  expect(idle.destroy).toHaveBeenCalled()
})
