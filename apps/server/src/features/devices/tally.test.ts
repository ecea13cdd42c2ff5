/** Totals are kept by triggers and by clever queries: here they are held against plain counting. */

import { countDevices, listDevices } from '@ithings/contract/features/devices/info.ts'
import type { Tag } from '@ithings/contract/wire.ts'
import fc from 'fast-check'
import { type Selectable, sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Sealed } from '#db/sealed-column.ts'
import type { DeviceTable } from '#db/tables/devices.ts'
import { openWorld, type World } from '#testing/world.ts'
import { makeProduct } from './testing/make-devices.ts'

let world: World
const products = ['Ptally00001', 'Ptally00002', 'Ptally00003']
const versions = ['', '1.0', '1.1', '2.0']

beforeAll(async () => {
  world = await openWorld()
  for (const [index, productID] of products.entries()) await makeProduct(world, { productID, deviceType: index + 1 })
})
afterAll(() => world.close())

interface TallyRow {
  product_id: string
  status: number
  is_enable: number
  is_simulated: number
  version: string
  devices: number
}

const kind = sql`product_id, status, is_enable, is_simulated, version`
async function tallied(): Promise<TallyRow[]> {
  const { rows } = await sql<TallyRow>`
    select ${kind}, sum(devices)::bigint as devices from device_tally
    group by ${kind} having sum(devices) <> 0 order by ${kind}`.execute(world.db)
  return rows
}
async function counted(): Promise<TallyRow[]> {
  const { rows } = await sql<TallyRow>`
    select ${kind}, count(*) as devices from device group by ${kind} order by ${kind}`.execute(world.db)
  return rows
}

test('the tally is right after many writers inserted, changed and deleted at once', async () => {
  const writer = async (writer: number) => {
    for (let round = 0; round < 12; round++) {
      const rows = Array.from({ length: 10 }, (_, n) => ({
        product_id: products[(writer + n) % 3] ?? '',
        device_name: `w${writer}-${round}-${n}`,
        secret: 's' as Sealed,
      }))
      await world.db.insertInto('device').values(rows).execute()
      const mine = sql<boolean>`device_name like ${`w${writer}-%`}`
      await world.db
        .updateTable('device')
        .set({ first_login: new Date(), is_online: 1 + (round % 2), version: versions[round % 4] ?? '' })
        .where(mine)
        .where(sql<boolean>`device_id % 3 = ${round % 3}`)
        .execute()
      // Another writer's device too: here they meet. One row, so that nobody waits in a ring.
      await world.db
        .updateTable('device')
        .set({ is_enable: 1 + (round % 2) })
        .where('device_name', '=', `w${(writer + 1) % 8}-${round}-0`)
        .execute()
      await world.db
        .deleteFrom('device')
        .where(mine)
        .where(sql<boolean>`device_id % 5 = ${round % 5}`)
        .execute()
    }
  }
  await Promise.all(Array.from({ length: 8 }, (_, n) => writer(n)))
  const truth = await counted()
  expect(truth.length).toBeGreaterThan(10)
  expect(await tallied()).toEqual(truth)
})

test('a transaction that is rolled back leaves the tally as it was', async () => {
  const before = await tallied()
  await expect(
    world.db.transaction().execute(async (db) => {
      await db.deleteFrom('device').execute()
      throw new Error('on purpose')
    }),
  ).rejects.toThrow('on purpose')
  expect(await tallied()).toEqual(before)
})

const words = ['pump', 'Valve', '水泵', 'ab', 'x']
const word = fc.constantFrom(...words)
const seed = fc.record({
  product: fc.nat(2),
  name: word,
  alias: word,
  version: fc.constantFrom(...versions),
  state: fc.constantFrom(1, 2, 3),
  enable: fc.constantFrom(1, 2),
  tag: fc.constantFrom('1', '2'),
})

const lineOne: Tag[] = [{ key: 'line', value: '1' }]
const filter = fc.record(
  {
    productID: fc.constantFrom(...products),
    productIDs: fc.subarray(products, { minLength: 1 }),
    deviceType: fc.constantFrom(1, 2, 3),
    deviceName: fc.constantFrom('pump', 'PU', 'a', 'v', 'zz'),
    deviceAlias: fc.constantFrom('水泵', '水', 'valve', 'ALV'),
    keyword: fc.constantFrom('pump', '泵', 'b'),
    status: fc.constantFrom(1, 2, 3),
    isOnline: fc.constantFrom(1, 2),
    version: fc.constantFrom('1', '.0', '2.0'),
    isEnable: fc.constantFrom(1, 2),
    tags: fc.constant(lineOne),
  },
  { requiredKeys: [] },
)
type Filter = typeof filter extends fc.Arbitrary<infer T> ? T : never
type Row = Selectable<DeviceTable>

const has = (text: string, part: string) => text.toLowerCase().includes(part.toLowerCase())

function matches(row: Row, f: Filter): boolean {
  return (
    (f.productID === undefined || row.product_id === f.productID) &&
    (f.productIDs === undefined || f.productIDs.includes(row.product_id)) &&
    (f.deviceType === undefined || products.indexOf(row.product_id) + 1 === f.deviceType) &&
    (f.deviceName === undefined || has(row.device_name, f.deviceName)) &&
    (f.deviceAlias === undefined || has(row.device_alias, f.deviceAlias)) &&
    (f.keyword === undefined || has(row.device_name, f.keyword) || has(row.device_alias, f.keyword)) &&
    (f.status === undefined || row.status === f.status) &&
    (f.isOnline === undefined || row.is_online === f.isOnline) &&
    (f.version === undefined || row.version.includes(f.version)) &&
    (f.isEnable === undefined || row.is_enable === f.isEnable) &&
    (f.tags === undefined ||
      f.tags.every((tag) => row.tags.some((own) => own.key === tag.key && own.value === tag.value)))
  )
}

test('on random data the list, its total and the count agree with looking at every device', async () => {
  const seeds = fc.sample(fc.array(seed, { minLength: 300, maxLength: 400 }), { numRuns: 1, seed: 7 }).flat()
  await world.db.deleteFrom('device').execute()
  await world.db
    .insertInto('device')
    .values(
      seeds.map((one, n) => ({
        product_id: products[one.product] ?? '',
        device_name: `${one.name.replace('水泵', 'sb')}-${n}`,
        device_alias: one.alias,
        secret: 's' as Sealed,
        version: one.version,
        first_login: one.state === 3 ? null : new Date(),
        is_online: one.state === 1 ? 1 : 2,
        is_enable: one.enable,
        tags: JSON.stringify([{ key: 'line', value: one.tag }]),
      })),
    )
    .execute()
  const rows = await world.db.selectFrom('device').selectAll().orderBy('device_name').execute()
  const size = 7
  await fc.assert(
    fc.asyncProperty(filter, fc.nat(60), fc.constantFrom(1, 2), async (given, wanted, sort) => {
      const truth = rows.filter((row) => matches(row, given)).map((row) => row.device_name)
      if (sort === 2) truth.reverse()
      const page = { page: wanted, size, orders: [{ field: 'deviceName', sort }] }
      const answer = await world.asAdmin(listDevices, { ...given, page })
      const clamped = Math.min(Math.max(wanted, 1), Math.max(1, Math.ceil(truth.length / size)))
      expect(answer.total).toBe(truth.length)
      expect(answer.list.map((device) => device.deviceName)).toEqual(truth.slice((clamped - 1) * size, clamped * size))
      if (given.status === undefined && given.isOnline === undefined) {
        const { deviceCount, deviceTypeCount } = await world.asAdmin(countDevices, given)
        const sum = (counts: Record<string, number>) => Object.values(counts).reduce((a, b) => a + b, 0)
        expect([sum(deviceCount), sum(deviceTypeCount)]).toEqual([truth.length, truth.length])
      }
    }),
    { numRuns: 150, seed: 7 },
  )
})
