/**
 * The work queue among many records: pages and counters come from indexes that fit, without
 * sorting or visiting what is not shown. How long that takes depends on the machine, how it is done does not.
 */
import { DealState } from '@ithings/contract/features/alarms/record.ts'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect } from '#db/connect.ts'
import type { Schema } from '#db/schema.ts'
import { eventually } from '#testing/eventually.ts'
import { size } from '#testing/size.ts'
import { countRecords } from './count-records.ts'
import { listRecords } from './list-records.ts'
import { tellStanding } from './tell-standing.ts'
import { type AlarmRoom, openAlarms } from './testing/alarm-room.ts'

/** Half of them open: a fleet with trouble. */
const records = size(40_000, 200_000)

let room: AlarmRoom
let pool: pg.Pool
let db: Kysely<Schema>
const asked: Array<{ text: string; values: unknown[] }> = []

beforeAll(async () => {
  room = await openAlarms()
  pool = connect(room.world.url, () => undefined, 2).pool
  db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void asked.push({ text: query.sql, values: [...query.parameters] }),
  })
  const now = room.world.clock.now()
  await sql`insert into alarm (name, level) select '告警' || n, 1 + n % 5 from generate_series(1, 20) n`.execute(db)
  await sql`
    insert into alarm_record (alarm_id, trigger_type, product_id, device_name, scene_id, scene_name, level, deal_state,
      first_alarm, last_alarm, count, total_count, cause, due_at, notified_at, dealt_at, created_at)
    select 1 + n % 20, 1, 'P1', 'device-' || n, 1, '场景', 1 + n % 5, case when n % 2 = 0 then 2 else 3 end,
      ${now}::bigint - n * 1000, ${now}::bigint - n * 997 % 1000000, 1 + n % 7, 9, '温度 > 80 ℃（实际 85 ℃）',
      case when n % 3 = 0 then ${now}::bigint + 1000 else 0 end,
      case when n % 4 = 0 then ${now}::bigint else 0 end, ${now}::bigint, ${now}::bigint - n * 1000
    from generate_series(1, ${sql.lit(records)}) n`.execute(db)
  // Somebody who still looks at what was before keeps pages from being marked as seen by all.
  const isSeenByAll = async () => {
    await sql`vacuum analyze alarm_record`.execute(db)
    const { rows } = await sql<{ all: boolean }>`
      select relallvisible >= relpages as all from pg_class where oid = 'alarm_record'::regclass`.execute(db)
    return rows[0]?.all
  }
  await eventually(async () => expect(await isSeenByAll()).toBe(true))
})
afterAll(async () => {
  await db.destroy()
  await room.close()
})

/** The plan of the statement that was asked last and speaks so. */
async function planOf(part: string): Promise<string> {
  const statement = asked.findLast(({ text }) => text.includes(part))
  if (!statement) throw new Error(`nothing asked with ${part}`)
  const { rows } = await pool.query(`explain (analyze, buffers) ${statement.text}`, statement.values)
  return rows.map((row) => row['QUERY PLAN']).join('\n')
}

const asker = () => ({ userID: 1, now: room.world.clock.now() })
const page = { page: 1, size: 20 }

test.each([
  ['the default page', {}],
  ['the page of open ones', { dealState: DealState.alarming }],
])('%s is read along the index of the work queue, nothing is sorted', async (_name, filter) => {
  const { list, total } = await listRecords(db, { ...filter, page }, asker())
  expect(list).toHaveLength(20)
  expect(total).toBe('dealState' in filter ? records / 2 : records)
  expect(list.every((record) => record.dealState === 2 && record.level === 5)).toBe(true)
  expect(list.map((record) => record.lastAlarm)).toEqual(
    list.map((record) => record.lastAlarm).toSorted((a, b) => b - a),
  )
  const plan = await planOf('order by (deal_state = 2)')
  expect(plan).toContain('Index Scan Backward using alarm_record_queue')
  expect(plan).not.toContain('Sort')
})

test('the newest of all states come from the index of their time', async () => {
  await listRecords(db, { page: { ...page, orders: [{ field: 'lastAlarm', sort: 2 }] } }, asker())
  const plan = await planOf('order by "last_alarm" desc')
  expect(plan).toContain('Index Scan Backward using alarm_record_last')
})

test('the counters read the index of open records alone', async () => {
  const counted = await countRecords(db, {}, asker())
  expect(counted.open).toBe(records / 2)
  expect(await planOf('with counted as')).toContain('Index Only Scan using alarm_record_open')
})

test('the devices of a page are counted along the index of devices', async () => {
  const devices = Array.from({ length: 20 }, (_, n) => ({ productID: 'P1', deviceName: `device-${n + 1}` }))
  const counted = await countRecords(db, { devices }, asker())
  expect(counted).toMatchObject({ open: 10 })
  expect(counted.devices.toSorted((a, b) => a.deviceName.localeCompare(b.deviceName))[0]).toEqual({
    productID: 'P1',
    deviceName: 'device-10',
    open: 1,
    level: 1,
  })
  const plan = await planOf('group by "product_id"')
  expect(plan).toMatch(/Index Scan using alarm_record_device/)
  expect(plan).not.toContain('Seq Scan on alarm_record')
})

test('what is due to be told is found along indexes: nothing is, and no record is read for it', async () => {
  // Half of the open ones were told a moment ago, the others flap: none is due.
  await sql`update alarm set notify = '{"channelIDs": [1], "renotifyMinutes": 60, "flapSeconds": 3600}'`.execute(db)
  expect(await tellStanding({ ...room.deps, db }, pino({ level: 'silent' }))).toBe(0)
  const plan = await planOf('order by r.dealt_at')
  expect(plan).toMatch(/Index (Only )?Scan using alarm_record_untold/)
  expect(plan).toMatch(/Index (Only )?Scan using alarm_record_open_alarm/)
  expect(plan).not.toContain('Seq Scan on alarm_record')
  const [, buffers] = plan.match(/Buffers: shared hit=(\d+)/) ?? []
  expect(Number(buffers)).toBeLessThan(500)
})
