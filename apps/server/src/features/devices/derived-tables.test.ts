/** What triggers keep beside the devices (migrations 0007, 0008 and 0010) is held against looking at every device. */

import { listDevices } from '@ithings/contract/features/devices/info.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sealed } from '#db/sealed-column.ts'
import { openWorld, type World } from '#testing/world.ts'
import { devicesByID } from './device-rows.ts'
import { makeProduct } from './testing/make-devices.ts'

let world: World
let productID: string
const groups = [3001, 3002, 3003, 3004]

beforeAll(async () => {
  world = await openWorld()
  productID = await makeProduct(world)
  const rows = groups.map((group_id) => ({ group_id, parent_id: 1, group_name: `g${group_id}` }))
  await world.db.insertInto('device_group').values(rows).execute()
})
afterAll(() => world.close())

/** The table of a trigger, what it should be, and the columns of both. */
const kept = {
  texts: [
    sql`select device_id, product_id, name, alias, name_shape, alias_shape from device_text`,
    sql`select device_id, product_id, lower(device_name), lower(device_alias), text_shape(device_name),
      text_shape(device_alias) from device`,
  ],
  tags: [
    sql`select key, value, device_id from device_tag`,
    sql`select distinct tag ->> 'key', tag ->> 'value', device_id from device, jsonb_array_elements(tags) tag`,
  ],
  blocks: [
    sql`select block, sum(devices) from device_block group by block having sum(devices) <> 0`,
    sql`select device_id / 4096, count(*) from device group by 1`,
  ],
  names: [
    sql`select name, sum(devices) from device_name_fence group by name having sum(devices) <> 0`,
    sql`select (select name from device_name_fence where name <= device_name order by name desc limit 1), count(*)
      from device group by 1`,
  ],
  groups: [
    sql`select group_id, sum(devices), sum(online) from group_tally group by 1 having sum(devices) <> 0`,
    sql`select group_id, count(*), count(*) filter (where status = 1) from group_device join device using (device_id)
      group by group_id`,
  ],
  shared: [
    sql`select device_id, groups, online from group_shared`,
    sql`select device_id, array_agg(group_id order by group_id), bool_or(status = 1)
      from group_device join device using (device_id) group by device_id having count(*) > 1`,
  ],
} as const

async function expectKept(): Promise<void> {
  for (const [name, [actual, expected]] of Object.entries(kept)) {
    const { rows } = await sql<{ size: number; wrong: number }>`
      with actual as (${actual}), expected as (${expected})
      select (select count(*) from expected) as size,
        (select count(*) from ((table actual except all table expected) union all
          (table expected except all table actual)) differing) as wrong`.execute(world.db)
    expect({ name, wrong: rows[0]?.wrong }).toEqual({ name, wrong: 0 })
    expect({ name, size: rows[0]?.size }).not.toEqual({ name, size: 0 })
  }
  const { rows } = await sql`
    (select 1, text_shape(device_name) from device union select 2, text_shape(device_alias) from device)
    except select field, shape from device_shape`.execute(world.db)
  expect(rows).toEqual([])
}

test('texts, tags, blocks and groups are right after many writers changed the same devices at once', async () => {
  const writer = async (number: number) => {
    for (let round = 0; round < 10; round++) {
      const rows = Array.from({ length: 12 }, (_, n) => ({
        product_id: productID,
        device_name: `W${number}-${round}-${n}`,
        device_alias: `泵站${round}号-${'abc'[n % 3]}`,
        secret: 's' as Sealed,
        tags: JSON.stringify([
          { key: 'line', value: String(n % 4) },
          { key: 'twice', value: 'x' },
          { key: 'twice', value: 'x' },
        ]),
      }))
      await world.db.insertInto('device').values(rows).execute()
      // Devices of every writer, in one order, as presence and the members of groups take them.
      const held = (rest: number, of: number, also = sql`true`) => sql`with held as materialized (
        select device_id from device where device_id % ${of} = ${rest} and ${also} order by device_id for no key update)`
      const isHeld = sql`device_id in (select device_id from held)`
      await sql`${held((number + round) % 7, 7)} update device set first_login = now(),
        is_online = ${1 + ((number + round) % 2)} where ${isHeld}`.execute(world.db)
      await sql`${held(number % 5, 5)} insert into group_device (group_id, device_id)
        select ${groups[round % 4]}::bigint, device_id from held on conflict do nothing`.execute(world.db)
      await sql`${held(round % 3, 3)} delete from group_device
        where group_id = ${groups[(round + 1) % 4]}::bigint and ${isHeld}`.execute(world.db)
      const mine = sql`device_name like ${`W${number}-${round}-%`}`
      await sql`${held(0, 2, mine)} update device set device_alias = device_alias || '改',
        tags = '[{"key":"line","value":"9"}]' where ${isHeld}`.execute(world.db)
      await sql`${held(1, 4, mine)} delete from device where ${isHeld}`.execute(world.db)
    }
  }
  await Promise.all(Array.from({ length: 6 }, (_, n) => writer(n)))
  await expectKept()
})

test('a group that goes leaves the counts of the others right', async () => {
  await world.db.deleteFrom('group_device').where('group_id', '=', 3002).execute()
  await world.db.deleteFrom('device_group').where('group_id', 'in', [3002, 3003]).execute()
  await expectKept()
})

test('without an order the newest come first on every page, though devices in between are gone', async () => {
  const rows = await world.db.selectFrom('device').select('device_name').orderBy('device_id', 'desc').execute()
  const size = 50
  const pages = Math.ceil(rows.length / size)
  for (const page of [1, 2, Math.ceil(pages / 2), pages - 1, pages, pages + 1]) {
    const { list, total } = await world.asAdmin(listDevices, { page: { page, size } })
    const from = (Math.min(page, pages) - 1) * size
    expect(total).toBe(rows.length)
    expect(list.map((one) => one.deviceName)).toEqual(rows.slice(from, from + size).map((row) => row.device_name))
  }
})

describe('in the order of names', () => {
  // The same names in another product: equal ones stay together.
  beforeAll(async () => {
    const other = await makeProduct(world)
    await sql`insert into device (product_id, device_name, secret)
      select ${other}, device_name, 's' from device where device_id % 3 = 0`.execute(world.db)
  })

  test.each([
    ['all behind one post', 0],
    ['posts every 7 devices', 7],
    ['posts every 3 devices', 3],
  ])('every page is where it belongs: %s', async (_, wanted) => {
    if (wanted > 0) await sql`select device_name_fence_tidy(${wanted}, ${wanted})`.execute(world.db)
    await expectKept()
    const { rows: posts } = await sql`select distinct name from device_name_fence`.execute(world.db)
    expect(posts.length > 10).toBe(wanted > 0)
    const rows = await world.db
      .selectFrom('device')
      .select('device_id')
      .orderBy('device_name')
      .orderBy('device_id')
      .execute()
    for (const [sort, wantedRows] of [
      [1, rows],
      [2, rows.toReversed()],
    ] as const) {
      const expected = await devicesByID(
        world.db,
        wantedRows.map((row) => row.device_id),
      )
      const size = 40
      for (let page = 1; page <= Math.ceil(rows.length / size); page++) {
        const body = { page: { page, size, orders: [{ field: 'deviceName', sort }] } }
        const { list } = await world.asAdmin(listDevices, body)
        const slice = expected.slice((page - 1) * size, page * size)
        expect(list.map((one) => `${one.productID}/${one.deviceName}`)).toEqual(
          slice.map((row) => `${row.product_id}/${row.device_name}`),
        )
      }
    }
  })
})

test.each([
  ['泵站', 'deviceAlias'],
  ['站3号', 'deviceAlias'],
  ['号-B', 'deviceAlias'],
  ['改', 'keyword'],
  ['w3-', 'keyword'],
  ['-1-1', 'deviceName'],
  ['0', 'deviceName'],
  ['站0', 'keyword'],
  ['%', 'keyword'],
  ['_', 'deviceName'],
  ['nowhere', 'keyword'],
])('%s as %s finds what looking at every text finds', async (word, field) => {
  const { list, total } = await world.asAdmin(listDevices, { [field]: word, page: { page: 1, size: 2_000 } })
  const rows = await world.db.selectFrom('device').select(['device_name', 'device_alias']).execute()
  const texts = { deviceName: ['device_name'], deviceAlias: ['device_alias'], keyword: ['device_name', 'device_alias'] }
  const has = (row: Record<string, string>) =>
    texts[field as keyof typeof texts].some((column) => row[column]?.toLowerCase().includes(word.toLowerCase()))
  const expected = rows.filter(has).map((row) => row.device_name)
  expect(total).toBe(expected.length)
  expect(list.map((one) => one.deviceName).sort()).toEqual(expected.sort())
})
