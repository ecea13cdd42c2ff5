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

interface Cell {
  pair: TwoDatabases
  /** To the primary. */
  line: SilentLine
}
interface Way {
  what: string
  /** DATABASE_URL. */
  url(pair: TwoDatabases): string
  fail(cell: Cell): unknown
  promoted?(cell: Cell): void
}

const ways: Way[] = [
  { what: 'is cut off', url: ({ url }) => url, fail: ({ line }) => line.hold() },
  { what: 'hangs', url: ({ url }) => url, fail: ({ pair }) => pair.hangPrimary() },
  {
    what: 'is cut off behind an address that moves',
    url: ({ primaryUrl }) => primaryUrl,
    fail: ({ line }) => line.hold(),
    promoted: ({ line, pair }) => line.leadTo(Number(new URL(pair.standbyUrl).port)),
  },
]

async function open(way: Way) {
  const pair = await openTwoDatabases()
  onTestFinished(() => pair.close())
  const { port } = new URL(pair.primaryUrl)
  const line = await openSilentLine(Number(port))
  onTestFinished(() => line.close())
  const databaseUrl = way.url(pair).replace(`127.0.0.1:${port}`, `127.0.0.1:${line.port}`)
  const world = await openWorld({ databaseUrl, config: { databaseUrl } })
  onTestFinished(() => world.close())
  return { pair, line, world }
}

test.each(ways)('a primary that $what for good holds nobody: all goes on with the promoted standby', async (way) => {
  const { world, ...cell } = await open(way)
  const key = await makeDevice(world, await makeFullProduct(world))
  const ready = async () => (await world.app.http.inject('/readyz')).statusCode
  const seen = async () =>
    (await sql<{ at: number }>`select max(seen_at) as at from platform_server`.execute(world.db)).rows[0]?.at ?? 0
  const isStored = async () => {
    const device = await connectDevice(world, key)
    const answer = await device.ask('thing/property', { method: 'report', params: { power: 1 } }).catch(() => undefined)
    await device.end()
    return answer?.code === 200
  }
  expect(await ready()).toBe(200)
  expect(await isStored()).toBe(true)

  await way.fail(cell)
  // More questions of balancers and people than there are connections.
  const looks = Array.from({ length: 25 }, ready)
  const calls = Array.from({ length: 25 }, () => world.signIn(adminName, adminPassword).catch(() => undefined))
  expect(new Set(await Promise.all(looks))).toEqual(new Set([503]))
  await adminQuery(cell.pair.standbyUrl, 'select pg_promote()')
  way.promoted?.(cell)
  await expect.poll(ready).toBe(200)
  const before = await seen()
  await expect.poll(seen).toBeGreaterThan(before)
  await expect.poll(isStored).toBe(true)
  expect(await world.signIn(adminName, adminPassword)).not.toBe('')
  await Promise.all(calls)
})
