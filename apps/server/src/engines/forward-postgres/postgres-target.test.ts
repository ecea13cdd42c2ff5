import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import { pipeline } from 'node:stream'
import { type SettingsOf, targetSettings } from '@ithings/contract/features/forwarding/targets.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, onTestFinished, test } from 'vitest'
import { type ForwardTarget, TargetAway } from '#ports/forward-target.ts'
import { type DeafProxy, openDeafProxy } from '#testing/deaf-proxy.ts'
import { eventually } from '#testing/eventually.ts'
import { said } from '#testing/said.ts'
import { makeScratchDatabase, type ScratchDatabase } from '#testing/scratch-database.ts'
import { tools, untilTheEnd } from '../forward-shared/testing/messages.ts'
import { startSilentServer } from '../forward-shared/testing/silent-server.ts'
import { message, messages, someTime } from '../forward-shared/testing/some-messages.ts'
import { openPostgresTarget } from './postgres-target.ts'

let database: ScratchDatabase
let admin: pg.Client
beforeAll(async () => {
  database = await makeScratchDatabase(inject('databaseUrl'))
  admin = new pg.Client({ connectionString: database.adminUrl })
  await admin.connect()
  await admin.query(`grant create on schema public to public; create schema data; grant all on schema data to public`)
})
afterAll(async () => {
  await admin.end()
  await database.drop()
})

let tables = 0
const newTable = () => `t${++tables}`

async function openProxy(): Promise<DeafProxy> {
  const proxy = await openDeafProxy(database.url)
  onTestFinished(() => proxy.close())
  return proxy
}

function settingsFor(proxy: DeafProxy, changes: Partial<SettingsOf<'postgres'>> = {}): SettingsOf<'postgres'> {
  const { hostname, port, pathname, username, password } = new URL(proxy.url)
  const who = { username: decodeURIComponent(username), password: decodeURIComponent(password) }
  const place = { type: 'postgres', host: hostname, port: Number(port), database: pathname.slice(1), ...who }
  return targetSettings.parse({ ...place, schema: 'data', table: newTable(), ...changes }) as SettingsOf<'postgres'>
}

function open(settings: SettingsOf<'postgres'>, by = tools()): ForwardTarget {
  const target = openPostgresTarget(settings, by)
  onTestFinished(() => target.close())
  return target
}

const idsIn = async (table: string): Promise<string[]> => {
  const { rows } = await admin.query(`select message_id from data.${table} order by time, message_id`)
  return rows.map(({ message_id }) => message_id)
}
const namesOf = (list: Array<{ id: string }>) => list.map(({ id }) => id)
const away = async (work: Promise<unknown>): Promise<string> => {
  const error = await work.then(
    () => undefined,
    (cause: unknown) => cause,
  )
  expect(error).toBeInstanceOf(TargetAway)
  return (error as TargetAway).message
}

test('messages arrive as rows of a table that is made for them', async () => {
  const settings = settingsFor(await openProxy())
  const target = open(settings)
  const odd = message(7, {
    source: 'event',
    identifier: 'alert',
    deviceName: `it's "one", {2}\\`,
    body: 'plain \\ text, "quoted"',
    data: { text: '中文 " \\', nested: { list: [1, null] } },
  })
  expect(await target.send([message(1), odd], untilTheEnd)).toEqual([])
  const { rows } = await admin.query(`select * from data.${settings.table} order by time`)
  expect(rows).toEqual([
    {
      ...{ time: new Date(someTime + 1), message_id: 'm1', source: 'property', product_id: 'p1', device_name: 'd1' },
      ...{ identifier: '', data: { n: 1 }, body: message(1).body },
    },
    {
      ...{ time: new Date(someTime + 7), message_id: 'm7', source: 'event', product_id: 'p1' },
      ...{ device_name: odd.deviceName, identifier: 'alert', data: odd.data, body: odd.body },
    },
  ])
})

test('a batch larger than one statement holds arrives, and what is sent again is there once', async () => {
  const settings = settingsFor(await openProxy())
  const target = open(settings)
  const large = 'x'.repeat(3 * 1024 * 1024)
  const batch = messages(4).map((one) => ({ ...one, body: large }))
  await target.send(batch, untilTheEnd)
  await target.send([...batch, message(9)], untilTheEnd)
  expect(await idsIn(settings.table)).toEqual(['m0', 'm1', 'm2', 'm3', 'm9'])
})

test('names of schema and table are taken as they are, and a schema that is missing is made', async () => {
  await admin.query(`grant create on database ${database.name} to public`)
  const settings = settingsFor(await openProxy(), { schema: 'New_Schema', table: 'Select' })
  await open(settings).send([message(1)], untilTheEnd)
  const { rows } = await admin.query(`select message_id from "New_Schema"."Select"`)
  expect(rows).toEqual([{ message_id: 'm1' }])
})

test('what the database refuses is told by its place, the rest arrives', async () => {
  const settings = settingsFor(await openProxy())
  const target = open(settings)
  await target.send([message(0)], untilTheEnd)
  await admin.query(`alter table data.${settings.table} add check (product_id <> 'bad')`)
  const batch = messages(20, 1)
  batch[3] = message(4, { body: 'a\u0000b' })
  batch[11] = message(12, { data: { text: '\u0000' } })
  batch[19] = message(20, { productID: 'bad' })
  const refused = said(await target.send(batch, untilTheEnd))
  expect(refused.map(({ index }) => index)).toEqual([3, 11, 19])
  expect(refused.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/^数据库拒绝了这条消息：.*22021/),
    expect.stringMatching(/^数据库拒绝了这条消息：.*22P05/),
    expect.stringMatching(/^数据库拒绝了这条消息：.*23514/),
  ])
  expect(await idsIn(settings.table)).toEqual(namesOf(messages(21)).filter((id) => !/^m(4|12|20)$/.test(id)))
})

test('an answer that gets lost in the middle of a batch leaves no row twice', async () => {
  const proxy = await openProxy()
  const settings = settingsFor(proxy)
  const target = open(settings)
  await target.send(messages(2), untilTheEnd)
  proxy.loses = 'insert into'
  const batch = messages(50, 2)
  const sending = away(target.send(batch, untilTheEnd))
  // The database has them, and whoever sent them does not know.
  await eventually(async () => expect(await idsIn(settings.table)).toHaveLength(52))
  await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'ithings-core forward' and datname = current_database()`,
  )
  expect(await sending).toMatch(/^无法连接数据库 127\.0\.0\.1:/)
  expect(await target.send(batch, untilTheEnd)).toEqual([])
  expect(await idsIn(settings.table)).toEqual(namesOf(messages(52)))
})

test('a connection that is killed before the rows are written is opened again', async () => {
  const settings = settingsFor(await openProxy())
  const target = open(settings)
  await target.send([message(0)], untilTheEnd)
  await admin.query('begin')
  await admin.query(`lock table data.${settings.table} in access exclusive mode`)
  const batch = messages(10, 1)
  const sending = away(target.send(batch, untilTheEnd))
  await eventually(async () => {
    const { rows } = await admin.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock'
       and application_name = 'ithings-core forward' and datname = current_database()`,
    )
    expect(rows).toHaveLength(1)
  })
  await admin.query('commit')
  expect(await sending).toMatch(/^数据库正在关闭或启动：/)
  expect(await idsIn(settings.table)).toEqual(['m0'])
  await target.send(batch, untilTheEnd)
  expect(await idsIn(settings.table)).toEqual(namesOf(messages(11)))
})

test('a database that is away is told, and used when it is back', async () => {
  const gone = await openDeafProxy(database.url)
  const settings = settingsFor(gone)
  await gone.close()
  const target = open(settings)
  expect(await away(target.send([message(1)], untilTheEnd))).toMatch(/^无法连接数据库 127\.0\.0\.1:\d+：/)
  const { port } = new URL((await openProxy()).url)
  const back = createServer((near) => {
    const far = connect(Number(port), '127.0.0.1')
    pipeline(near, far, near, () => {})
  }).listen(settings.port, '127.0.0.1')
  onTestFinished(() => void back.close())
  await once(back, 'listening')
  await eventually(() => target.send([message(1)], untilTheEnd))
  expect(await idsIn(settings.table)).toEqual(['m1'])
})

test('what has to be put right at the database is told in words', async () => {
  const proxy = await openProxy()
  const say = (changes: Partial<SettingsOf<'postgres'>>) =>
    away(open(settingsFor(proxy, changes)).send([message(1)], untilTheEnd))
  expect(await say({ create: false, table: 'missing' })).toBe('表 data.missing 不存在')
  expect(await say({ database: 'missing' })).toBe('数据库 missing 不存在')
  expect(await say({ password: 'wrong', username: 'nobody' })).toMatch(/^数据库拒绝登录：/)
  await admin.query('create table data.closed (n int); revoke all on data.closed from public')
  await admin.query('create table data.other (time timestamptz, message_id text)')
  await admin.query('create table data.keyless (like data.t1); grant all on data.keyless, data.other to public')
  expect(await say({ table: 'other' })).toMatch(/^表 data\.other 的结构不符：/)
  expect(await say({ table: 'keyless' })).toBe('表 data.keyless 缺少 (message_id, time) 上的主键或唯一约束')
  await admin.query('create table data.locked (like data.t1 including all)')
  expect(await say({ table: 'locked' })).toMatch(/^数据库用户没有所需的权限：/)
})

test('a disk that is full is away, not a fault of the rows', async () => {
  const settings = settingsFor(await openProxy())
  const target = open(settings)
  await target.send([message(0)], untilTheEnd)
  await admin.query(
    `create function data.full() returns trigger language plpgsql as
     $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
     create trigger full_disk before insert on data.${settings.table} execute function data.full()`,
  )
  expect(await away(target.send(messages(3, 1), untilTheEnd))).toMatch(/^数据库磁盘已满：could not extend/)
  await admin.query(`drop trigger full_disk on data.${settings.table}`)
  expect(await target.send(messages(3, 1), untilTheEnd)).toEqual([])
})

test('where TimescaleDB is, the new table becomes a hypertable', async () => {
  // A stand-in: the extension itself is not to be had here. Its entry and its function are.
  await admin.query(
    `create table data.hypertables (name regclass, by name);
     grant all on data.hypertables to public;
     create function data.create_hypertable(regclass, name, if_not_exists boolean, migrate_data boolean) returns void
       language sql as 'insert into data.hypertables values ($1, $2)';
     insert into pg_extension select 99999, 'timescaledb', extowner, 'data'::regnamespace, false, '1'
       from pg_extension limit 1`,
  )
  onTestFinished(async () => {
    await admin.query(`delete from pg_extension where extname = 'timescaledb'`)
  })
  const settings = settingsFor(await openProxy())
  const target = open(settings)
  await target.send([message(1)], untilTheEnd)
  const { rows } = await admin.query('select name::text, by from data.hypertables')
  expect(rows).toEqual([{ name: `data.${settings.table}`, by: 'time' }])
})

test('an address of the internal network is refused, as one and behind a name', async () => {
  const proxy = await openProxy()
  const refusal = (host: string) => `地址 ${host} 属于内部网络，不允许访问（可由管理员在 WEBHOOK_ALLOW 中放行）`
  for (const host of ['127.0.0.1', 'localhost', '::1']) {
    const target = open(settingsFor(proxy, { host }), tools([]))
    expect(await away(target.send([message(1)], untilTheEnd))).toBe(refusal(host))
  }
  const path = inject('databaseUrl').match(/host=([^&]+)/)?.[1] ?? '/tmp'
  const target = open(settingsFor(proxy, { host: decodeURIComponent(path) }))
  expect(await away(target.send([message(1)], untilTheEnd))).toMatch(/^无法连接数据库/)
})

test('who ends the send need not wait, and nothing stays open', async () => {
  const silent = await startSilentServer()
  const settings = { ...settingsFor(await openProxy()), port: silent.port }
  const target = open(settings)
  const ending = new AbortController()
  const sending = away(target.send([message(1)], ending.signal))
  await eventually(() => expect(silent.open()).toBe(1))
  ending.abort()
  expect(await sending).toBe('发送已停止')
  await eventually(() => expect(silent.open()).toBe(0))
  const again = away(target.send([message(1)], untilTheEnd))
  await eventually(() => expect(silent.open()).toBe(1))
  await target.close()
  expect(await again).toBe('发送已停止')
  await eventually(() => expect(silent.open()).toBe(0))
})

test('a statement that is under way ends with the send, and close ends the connection', async () => {
  const settings = settingsFor(await openProxy())
  const target = open(settings)
  const lines = async () => {
    const { rows } = await admin.query(
      `select from pg_stat_activity where application_name = 'ithings-core forward' and datname = current_database()`,
    )
    return rows.length
  }
  await eventually(async () => expect(await lines()).toBe(0))
  await target.send([message(0)], untilTheEnd)
  expect(await lines()).toBe(1)
  await admin.query('begin')
  await admin.query(`lock table data.${settings.table} in access exclusive mode`)
  const ending = new AbortController()
  const sending = away(target.send([message(1)], ending.signal))
  await eventually(async () => {
    const { rows } = await admin.query(`select from pg_stat_activity where wait_event_type = 'Lock'`)
    expect(rows).toHaveLength(1)
  })
  ending.abort()
  expect(await sending).toBe('发送已停止')
  await admin.query('commit')
  await target.send([message(1)], untilTheEnd)
  expect(await idsIn(settings.table)).toEqual(['m0', 'm1'])
  await target.close()
  await eventually(async () => expect(await lines()).toBe(0))
})

test('a server that accepts and says nothing is given up', async () => {
  const silent = await startSilentServer()
  const settings = { ...settingsFor(await openProxy()), port: silent.port }
  expect(await away(open(settings, tools(undefined, 200)).send([message(1)], untilTheEnd))).toMatch(
    /^无法连接数据库 .*timeout/,
  )
})
