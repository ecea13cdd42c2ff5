import { Dialect } from '@ithings/contract/device/messages.ts'
import { deleteDevice } from '@ithings/contract/features/devices/info.ts'
import { countHubLog, listEventLog, listHubLog, listSdkLog, readTrace } from '@ithings/contract/features/history.ts'
import { updateProduct } from '@ithings/contract/features/products.ts'
import { kept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { JournalKind, traceIDOf } from '#ports/journal.ts'
import { type HistoryRoom, openHistoryRoom, productID } from './testing/history-room.ts'

let room: HistoryRoom
let start: number
const minute = 60_000

beforeAll(async () => {
  room = await openHistoryRoom()
  start = room.world.clock.now() - 30 * minute
})
beforeEach(() => room.reset(start))
afterAll(() => room.close())

const log = (body: object) => room.world.asAdmin(listHubLog, { productID, deviceName: 'lamp1', ...body })
const tokens = async (body: object) => (await log(body)).list.map((row) => row.requestID)

describe('hub log', () => {
  test('a kept sentence is found by its words and its values, and said', async () => {
    await room.add({
      at: start,
      token: 'k1',
      code: 2000004,
      msg: kept('设备回复 {code}：{msg}', { code: 500, msg: 'jam' }),
    })
    await room.add({
      at: start,
      token: 'k2',
      content: JSON.stringify({ reason: kept('{minutes} 分钟没有消息', { minutes: 5 }) }),
    })
    expect((await log({})).list.map(({ msg, content }) => msg || JSON.parse(content).reason)).toEqual(
      expect.arrayContaining(['设备回复 500：jam', '5 分钟没有消息']),
    )
    expect(await tokens({ content: '设备回复 500：jam' })).toEqual(['k1'])
    expect(await tokens({ content: '5 分钟' })).toEqual(['k2'])
    expect(await tokens({ content: '设备回复 404' })).toEqual([])
  })

  test('a line tells everything about a message', async () => {
    const entry = await room.add({
      at: start,
      token: 'r1',
      content: '{"temp":1000}',
      code: 100015,
      msg: 'temp 超出范围',
      latency: 2_500,
    })
    expect(await log({})).toEqual({
      total: 1,
      list: [
        {
          timestamp: String(start),
          action: 'property',
          requestID: 'r1',
          tranceID: traceIDOf(entry),
          topic: `$thing/up/property/${productID}/lamp1`,
          content: '{"temp":1000}',
          resultType: '100015',
          productID,
          deviceName: 'lamp1',
          way: 'up',
          method: 'report',
          msg: 'temp 超出范围',
          latency: 2.5,
        },
      ],
    })
  })

  test('the line of a device whose clock is ahead is listed at once', async () => {
    await room.add({ at: room.world.clock.now() + 9 * minute, token: 'early' })
    expect(await tokens({})).toEqual(['early'])
    expect((await room.world.asAdmin(listHubLog, { productID })).list.map((row) => row.requestID)).toEqual(['early'])
  })

  test('newest first by page, the device by its whole name, within [timeStart, timeEnd)', async () => {
    for (let n = 0; n < 5; n++) await room.add({ at: start + n, token: String(n) })
    await room.add({ at: start, deviceName: 'lamp10', token: 'other' })
    expect(await tokens({})).toEqual(['4', '3', '2', '1', '0'])
    expect(await log({ page: { page: 2, size: 2 } })).toMatchObject({
      total: 5,
      list: [{ requestID: '2' }, { requestID: '1' }],
    })
    expect(await tokens({ timeStart: String(start + 1), timeEnd: String(start + 3) })).toEqual(['2', '1'])
    expect(await tokens({ timeStart: String(start + 4), timeEnd: '0' })).toEqual(['4'])
  })

  test('every filter', async () => {
    const own = `${productID}/lamp1`
    await room.add({ at: start, token: 'a', content: '{"temp":21.5}' })
    await room.add({
      at: start + 1,
      token: 'b',
      kind: JournalKind.connected,
      topic: '',
      method: '',
      content: '"ip:1.2.3.4"',
    })
    await room.add({ at: start + 2, token: 'c', up: false, topic: `$thing/down/property/${own}`, method: 'control' })
    await room.add({
      at: start + 3,
      token: 'd',
      kind: JournalKind.publish,
      topic: 'some/other',
      code: 100012,
      msg: '权限不足',
    })
    await room.add({ at: start + 4, token: 'e', kind: JournalKind.ext, topic: `$ext/up/x/${own}` })
    expect(await tokens({ actions: ['connected', 'ext', 'unheard-of'] })).toEqual(['e', 'b'])
    expect(await tokens({ actions: ['unheard-of'] })).toEqual([])
    expect(await tokens({ actions: null })).toHaveLength(5)
    expect(await tokens({ topics: [`$thing/up/property/${own}`, 'some/other'] })).toEqual(['d', 'a'])
    expect(await tokens({ topics: [`$ext/up/x/${own}`] })).toEqual(['e'])
    expect(await tokens({ topics: ['$thing/down/property'] })).toEqual(['c'])
    expect(await tokens({ content: '"temp":21' })).toEqual(['a'])
    expect(await tokens({ content: '权限' })).toEqual(['d'])
    expect(await tokens({ content: '%' })).toEqual([])
    expect(await tokens({ requestID: 'c' })).toEqual(['c'])
    expect(await tokens({ resultType: 2 })).toEqual(['d'])
    expect(await tokens({ resultType: 1 })).toHaveLength(4)
    const [connected] = (await log({ actions: ['connected'] })).list
    expect(connected).toMatchObject({ topic: '', content: '"ip:1.2.3.4"' })
  })

  test('without a device: of a product, of everything, with pages from far back', async () => {
    for (let n = 0; n < 30; n++) {
      await room.add({ at: start - n * n * 10_000, deviceName: n % 2 ? 'lamp1' : 'lamp10', token: String(n) })
    }
    const pages = await Promise.all(
      [1, 2, 3].map((page) => room.world.asAdmin(listHubLog, { productID, page: { page, size: 10 } })),
    )
    expect(pages.flatMap(({ list }) => list.map((row) => row.requestID))).toEqual(
      Array.from({ length: 30 }, (_, n) => String(n)),
    )
    expect(pages[0]?.total).toBe(30)
    expect(pages[0]?.list.slice(0, 2).map((row) => row.deviceName)).toEqual(['lamp10', 'lamp1'])
    expect((await room.world.asAdmin(listHubLog, {})).total).toBe(30)
    expect((await room.world.asAdmin(listHubLog, { deviceName: 'lamp10' })).total).toBe(15)
    expect((await room.world.asAdmin(listHubLog, { productID: 'P1111111111' })).total).toBe(0)
    expect((await room.world.asAdmin(listHubLog, { productID, deviceNames: ['lamp1', 'lamp10'] })).total).toBe(30)
  })

  test('an unknown device is 100009; the lines of a deleted one are gone', async () => {
    const { code } = await room.world.call(listHubLog, { productID, deviceName: 'x' }, { token: room.world.admin })
    expect(code).toBe(100009)
    const entry = await room.add({ at: start, deviceName: 'lamp3', token: 'gone' })
    await room.world.asAdmin(deleteDevice, { productID, deviceName: 'lamp3' })
    expect((await room.world.asAdmin(listHubLog, { productID })).total).toBe(0)
    const trace = await room.world.call(readTrace, { tranceID: traceIDOf(entry) }, { token: room.world.admin })
    expect(trace.code).toBe(100009)
  })

  test('volume over time: every bucket, failed ones told apart', async () => {
    await room.add({ at: start })
    await room.add({ at: start + minute, code: 100006 })
    await room.add({ at: start + 2 * minute - 1 })
    await room.add({ at: start + 3 * minute })
    const { list, interval } = await room.world.asAdmin(countHubLog, {
      productID,
      timeStart: start,
      timeEnd: start + 3 * minute,
      buckets: 3,
    })
    expect(interval).toBe(minute)
    expect(list).toEqual([
      { timestamp: String(start), total: 1, failed: 0 },
      { timestamp: String(start + minute), total: 2, failed: 1 },
      { timestamp: String(start + 2 * minute), total: 0, failed: 0 },
    ])
  })
})

describe('trace', () => {
  test('an accepted report: received, checked, stored, answered', async () => {
    const up = await room.report('lamp1', { temp: 1, on: true }, start)
    await room.add({ at: start, token: 'unrelated' })
    const { entry, steps, related } = await room.world.asAdmin(readTrace, { tranceID: traceIDOf(up) })
    expect(entry).toMatchObject({ tranceID: traceIDOf(up), content: '{"temp":1,"on":true}' })
    expect(steps.map((step) => [step.name, step.ok])).toEqual([
      ['接收', true],
      ['校验', true],
      ['存储', true],
      ['回复', true],
    ])
    expect(steps[2]?.text).toContain('2 个属性：temp、on')
    expect(steps[3]?.text).toMatch(/^report_reply 200/)
    expect(related).toEqual([])
  })

  test('a command with the reply of the device, joined by the request id', async () => {
    const topic = `$thing/down/property/${productID}/lamp1`
    const down = await room.add({ at: start, token: 'q', up: false, topic, method: 'control', content: '{"on":true}' })
    await room.add({ at: start + 120, token: 'q', method: 'control_reply', code: 200 })
    await room.add({ at: start + 130, token: 'q', deviceName: 'lamp10' })
    const { steps, related } = await room.world.asAdmin(readTrace, { tranceID: traceIDOf(down) })
    expect(steps.map((step) => step.name)).toEqual(['下发', '设备回复'])
    expect(steps[1]).toMatchObject({ ok: true, text: 'control_reply 200，120.0 ms' })
    expect(related).toHaveLength(1)
  })

  test('who sent a command is told: its command keeps it under the same token', async () => {
    const topic = `$thing/down/property/${productID}/lamp1`
    const command = (token: string, source: string, deviceName = 'lamp1') =>
      room.world.db
        .insertInto('device_command')
        .values({
          client_token: token,
          device_id: room.deviceID(deviceName),
          kind: 'property',
          payload: '{}',
          sent_at: start - 5,
          user_name: 'wang01',
          source,
        })
        .execute()
    const firstStep = async (token: string) => {
      const down = await room.add({ at: start, token, up: false, topic, method: 'control' })
      const { steps } = await room.world.asAdmin(readTrace, { tranceID: traceIDOf(down) })
      return steps[0]
    }
    await command('by-hand', 'user')
    await command('by-scene', 'scene')
    await command('of-another', 'user', 'lamp10')
    expect(await firstStep('by-hand')).toEqual({ name: '发起', ok: true, text: '用户 wang01' })
    expect(await firstStep('by-scene')).toEqual({ name: '发起', ok: true, text: '场景联动 wang01' })
    expect(await firstStep('of-another')).toMatchObject({ name: '下发' })
  })

  test('the answer is spelt as the product wants it, and none is invented for a version report', async () => {
    await room.world.asAdmin(updateProduct, { productID, dialect: Dialect.camel })
    try {
      const up = await room.report('lamp1', { temp: 1 }, start)
      const answer = async () => (await room.world.asAdmin(readTrace, { tranceID: traceIDOf(up) })).steps.at(-1)?.text
      await expect.poll(answer).toMatch(/^reportReply 200/)
      const ota = { kind: JournalKind.otaLog, topic: `$ota/up/report/${productID}/lamp1`, method: 'reportInfo' }
      const version = await room.add({ at: start, ...ota })
      const trace = await room.world.asAdmin(readTrace, { tranceID: traceIDOf(version) })
      expect(trace.steps.map((step) => step.name)).toEqual(['接收', '校验', '存储'])
    } finally {
      await room.world.asAdmin(updateProduct, { productID, dialect: Dialect.auto })
    }
  })

  test('a refusal names its reason and that nothing was added', async () => {
    const bad = await room.add({ at: start, code: 100015, msg: 'temp 最大 100，收到 1000' })
    const { steps } = await room.world.asAdmin(readTrace, { tranceID: traceIDOf(bad) })
    expect(steps[1]).toEqual({ name: '校验', ok: false, text: 'temp 最大 100，收到 1000' })
    expect(steps[2]?.text).toContain('只记入日志')
  })

  test('an unknown or malformed trace id is refused', async () => {
    const call = (tranceID: string) => room.world.call(readTrace, { tranceID }, { token: room.world.admin })
    expect((await call('0'.repeat(22))).code).toBe(100009)
    expect((await call('xyz')).code).toBe(100006)
  })
})

test.each([
  ['own logs of devices', listSdkLog, {}, 'sdk_log'],
  ['events', listEventLog, { deviceNames: ['lamp1'] }, 'device_event'],
] as const)('%s: a search that the database gave up says so (100016)', async (_, endpoint, body, table) => {
  const { world } = room
  const locker = new pg.Client({ connectionString: world.url })
  await locker.connect()
  try {
    await locker.query(`begin; lock table ${table} in access exclusive mode`)
    const asked = world.call(endpoint, { productID, ...body }, { token: world.admin })
    // What the time limit does after 15 s.
    const cancel = async () => {
      // Not by the locker: inside a transaction the list of activities stays as it was first read.
      const { rows } = await sql`
        select pg_cancel_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and strpos(query, ${table}) > 0`.execute(
        world.db,
      )
      return rows.length
    }
    await expect.poll(cancel).toBeGreaterThan(0)
    expect(await asked).toMatchObject({ code: 100016, msg: expect.stringContaining('15 秒') })
  } finally {
    await locker.query('rollback')
    await locker.end()
  }
})

describe('own logs of devices', () => {
  test('newest first, by level, words, range and device', async () => {
    const lines = [
      ['lamp1', 1, 'boot 100%'],
      ['lamp1', 3, 'Wifi lost'],
      ['lamp10', 5, 'panic'],
    ] as const
    for (const [n, [deviceName, level, content]] of lines.entries()) {
      const row = {
        device_id: room.deviceID(deviceName),
        product_id: productID,
        at: start + n,
        log_level: level,
        content,
      }
      await room.world.db.insertInto('sdk_log').values(row).execute()
    }
    const sdk = async (body: object) =>
      (await room.world.asAdmin(listSdkLog, { productID, ...body })).list.map((row) => row.content)
    expect(await sdk({})).toEqual(['panic', 'Wifi lost', 'boot 100%'])
    expect(await sdk({ deviceName: 'lamp1' })).toEqual(['Wifi lost', 'boot 100%'])
    expect(await sdk({ deviceNames: ['lamp10'] })).toEqual(['panic'])
    expect(await sdk({ logLevel: 3 })).toEqual(['Wifi lost'])
    expect(await sdk({ content: 'wifi' })).toEqual(['Wifi lost'])
    expect(await sdk({ content: '0%' })).toEqual(['boot 100%'])
    expect(await sdk({ timeStart: start + 1, timeEnd: start + 2 })).toEqual(['Wifi lost'])
    expect(await sdk({ page: { page: 3, size: 1 } })).toEqual(['boot 100%'])
    const { list } = await room.world.asAdmin(listSdkLog, { productID, deviceName: 'lamp10' })
    expect(list).toEqual([{ timestamp: String(start + 2), loglevel: 5, content: 'panic', deviceName: 'lamp10' }])
  })
})
