/** A primary that is gone without a word: its connections stay open, and nothing ever comes by them again. */
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { makeDevice } from '#features/devices/testing/make-devices.ts'
import { connectDevice } from '#testing/mqtt-device.ts'
import { adminQuery } from '#testing/scratch-database.ts'
import { openSilentLine, type SilentLine } from '#testing/silent-line.ts'
import { adminName, adminPassword } from '#testing/test-config.ts'
import { openTwoDatabases, type TwoDatabases } from '#testing/two-databases.ts'
import { openWorld } from '#testing/world.ts'
import { makeFullProduct } from '#uplink/testing/full-product.ts'

async function open() {
  const pair = await openTwoDatabases()
  onTestFinished(() => pair.close())
  const port = new URL(pair.primaryUrl).port
  const line = await openSilentLine(Number(port))
  onTestFinished(() => line.close())
  const url = pair.url.replace(`127.0.0.1:${port}`, `127.0.0.1:${line.port}`)
  const world = await openWorld({ databaseUrl: url, config: { databaseUrl: url } })
  onTestFinished(() => world.close())
  return { pair, line, world }
}

const ways: Array<[string, (pair: TwoDatabases, line: SilentLine) => unknown]> = [
  ['is cut off', (_, line) => line.hold()],
  ['hangs', (pair) => pair.hangPrimary()],
]

test.each(ways)(
  'a primary that %s for good holds nobody: after the standby is promoted all goes on',
  async (_, end) => {
    const { pair, line, world } = await open()
    const key = await makeDevice(world, await makeFullProduct(world))
    const ready = async () => (await world.app.http.inject('/readyz')).statusCode
    const seen = async () =>
      (await sql<{ at: number }>`select max(seen_at) as at from platform_server`.execute(world.db)).rows[0]?.at ?? 0
    const isStored = async () => {
      const device = await connectDevice(world, key)
      const answer = await device
        .ask('thing/property', { method: 'report', params: { power: 1 } })
        .catch(() => undefined)
      await device.end()
      return answer?.code === 200
    }
    expect(await ready()).toBe(200)
    expect(await isStored()).toBe(true)

    await end(pair, line)
    // More questions of balancers and people than there are connections.
    const asked = Array.from({ length: 25 }, ready)
    const calls = Array.from({ length: 25 }, () => world.signIn(adminName, adminPassword).catch(() => ''))
    expect(new Set(await Promise.all(asked))).toEqual(new Set([503]))
    await adminQuery(pair.standbyUrl, 'select pg_promote()')
    await expect.poll(ready).toBe(200)
    const before = await seen()
    await expect.poll(seen).toBeGreaterThan(before)
    await expect.poll(isStored).toBe(true)
    expect(await world.signIn(adminName, adminPassword)).not.toBe('')
    await Promise.all(calls)
  },
)
