/** Servers that reach their database through a real PgBouncer (configuration.md "PgBouncer"). */
import { readCluster } from '@ithings/contract/features/cluster.ts'
import { sendProperty } from '@ithings/contract/features/commands.ts'
import { readDevice, updateDevice } from '@ithings/contract/features/devices/info.ts'
import { listLatest } from '@ithings/contract/features/history.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { connect } from '#db/connect.ts'
import { makePgLocks } from '#engines/pg-locks/pg-locks.ts'
import { makePgSignal } from '#engines/pg-signal/pg-signal.ts'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { connectDevice } from '#testing/mqtt-device.ts'
import { type PgBouncer, startPgBouncer, withoutPgBouncer } from '#testing/pgbouncer.ts'
import { makeScratchDatabase, type ScratchDatabase } from '#testing/scratch-database.ts'
import { openWorld, type World } from '#testing/world.ts'
import { makeConnected, makeFullProduct } from '#uplink/testing/full-product.ts'

describe.skipIf(withoutPgBouncer)('servers behind PgBouncer', () => {
  let database: ScratchDatabase
  const closers: Array<() => Promise<void>> = []
  const toClose = (close: () => Promise<void>) => void closers.push(close)

  beforeAll(async () => {
    database = await makeScratchDatabase(inject('databaseUrl'), inject('openedTemplate'))
    toClose(() => database.drop())
  })
  afterAll(async () => {
    for (const close of closers.toReversed()) await close()
  })

  const openThrough = ({ url }: PgBouncer) => openWorld({ databaseUrl: url, config: { databaseUrl: url } })

  describe('in session mode', () => {
    let bouncer: PgBouncer
    let first: World
    let second: World
    beforeAll(async () => {
      // Fewer than two servers may open is what it has without a setting.
      bouncer = await startPgBouncer(database.url, toClose, { default_pool_size: '100' })
      first = await openThrough(bouncer)
      second = await openThrough(bouncer)
      toClose(() => first.close())
      toClose(() => second.close())
    })

    const ready = () =>
      Promise.all([first, second].map(async ({ app }) => (await app.http.inject('/readyz')).statusCode))
    const report = (level: number) => ({ method: 'report', params: { level } })

    test('what a device reports is acknowledged and read back, and every statement has its limit', async () => {
      const device = await makeConnected(first)
      expect(await device.ask('thing/property', report(7))).toMatchObject({ code: 200 })
      const level = async (world: World) =>
        (await world.asAdmin(listLatest, { ...device.key, dataIDs: ['level'] })).list
      await expect.poll(() => level(second)).toMatchObject([{ dataID: 'level', value: '7' }])
      expect((await sql`show statement_timeout`.execute(first.db)).rows).toEqual([{ statement_timeout: '1min' }])
      await device.end()
    })

    test('commands reach devices of the other server, and a device that is disabled there has to go', async () => {
      const key = await makeDevice(first, await makeFullProduct(first))
      const device = await connectDevice(second, key)
      await expect.poll(async () => (await first.asAdmin(readDevice, key)).isOnline).toBe(1)
      const called = first.asAdmin(sendProperty, { ...key, data: '{"power":1}', isAsync: false })
      const { clientToken } = await device.next('thing/property', ({ method }) => method === 'control')
      await device.publish('thing/property', { method: 'control_reply', clientToken, code: 200 })
      expect(await called).toMatchObject({ code: 200 })
      await first.asAdmin(updateDevice, { ...key, isEnable: 2 })
      await device.closed
    })

    test('each server has a number of its own, which is free again after its end', async () => {
      const nodeOfThird = async () => {
        const third = await openThrough(bouncer)
        const { list, serverID } = await third.asAdmin(readCluster)
        await third.close()
        return list.find((one) => one.serverID === serverID)?.node
      }
      expect(await nodeOfThird()).toBe(2)
      // PgBouncer learns of the end in its time.
      await expect.poll(nodeOfThird).toBe(2)
    })

    test('a lock is one server’s until it lets go', async () => {
      const { pool, close } = connect(bouncer.url, () => undefined, 2)
      const locks = [1, 2].map(() =>
        makePgLocks(
          bouncer.url,
          makePgSignal(bouncer.url, pool, () => undefined),
        ),
      )
      const take = (index: number) => locks[index]?.take('a', () => undefined, AbortSignal.timeout(500))
      const letGo = await take(0)
      expect(await take(1)).toBeUndefined()
      await letGo?.()
      await expect.poll(() => take(1)).toBeDefined()
      for (const one of locks) await one.stop()
      await close()
    })

    test('when it was killed the servers go on as soon as it is back', async () => {
      const device = await makeConnected(first)
      await bouncer.kill()
      await expect.poll(ready).toEqual([503, 503])
      await bouncer.startAgain()
      await expect.poll(ready).toEqual([200, 200])
      const again = await connectDevice(second, device.key)
      expect(await again.ask('thing/property', report(8))).toMatchObject({ code: 200 })
      await again.end()
    })
  })

  test.each(['transaction', 'statement'])('in %s mode a server does not start, and says why', async (mode) => {
    const bouncer = await startPgBouncer(database.url, toClose, { pool_mode: mode })
    await expect(openThrough(bouncer)).rejects.toThrow(/^The pooler .* set it to session mode \(pool_mode = session\)$/)
  })
})
