/**
 * A past for devices that have none: closed hours as packed days, the rest as journal rows that the packer takes later.
 * The row of the packer is held meanwhile, so that the border between the two stays where it is.
 */
import { dayMs } from '@ithings/contract/durations.ts'
import { kept } from '@ithings/contract/text.ts'
import type pg from 'pg'
import type { Backfill, PastDevice, PastEvent, PastReport, PastValue } from '#ports/backfill.ts'
import { type JournalEntry, JournalKind } from '#ports/journal.ts'
import { copyIn } from './copy-query.ts'
import { copyStatement, makeRowEncoder } from './encode-rows.ts'
import { readWatermark } from './hot-rows.ts'
import { kindOf } from './packed-rows.ts'
import { historyBlockDays, makeDayPartition } from './partitions.ts'
import { dropDevices } from './retention.ts'

/** Rows of one COPY. */
const copyRows = 5_000
const devicesAtOnce = 20
/** Microseconds, as a quiet server takes. */
const usualLatency = 900
const brokenText = kept('网络中断')

interface Pack {
  deviceID: number
  property: string
  kind: number
  day: number
  times: number[]
  values: PastValue[]
}

const kindOfValue = (value: PastValue): number =>
  kindOf(typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'string')

function packsOf({ deviceID, reports }: PastDevice, before: number): Pack[] {
  const packs = new Map<string, Pack>()
  for (const { at, values } of reports) {
    if (at >= before) break
    const day = Math.floor(at / dayMs)
    for (const [property, value] of Object.entries(values)) {
      const kind = kindOfValue(value)
      const key = `${property}/${kind}/${day}`
      const pack = packs.get(key) ?? { deviceID, property, kind, day, times: [], values: [] }
      packs.set(key, pack)
      pack.times.push(at - day * dayMs)
      pack.values.push(value)
    }
  }
  return [...packs.values()]
}

const insertPacks = `
  insert into history_day (device_id, property, kind, day, count, min, max, sum, first, last, times, nums, vals)
  select device_id, property, kind, day, cardinality(times), min, max, sum, nums[1], nums[cardinality(nums)], times,
    nums, vals
  from (
    select device_id, property, kind, day, times::integer[] as times, nums::double precision[] as nums, vals::jsonb as vals
    from unnest($1::bigint[], $2::text[], $3::smallint[], $4::integer[], $5::text[], $6::text[], $7::text[])
      as given (device_id, property, kind, day, times, nums, vals)
  ) packs left join lateral (select min(n), max(n), sum(n) from unnest(nums) n) stats on true`

async function writePacks(client: pg.ClientBase, packs: Pack[]): Promise<void> {
  if (packs.length === 0) return
  const text = ({ kind, values }: Pack) => (kind === 3 ? null : `{${values.map(Number).join(',')}}`)
  await client.query(insertPacks, [
    packs.map((pack) => pack.deviceID),
    packs.map((pack) => pack.property),
    packs.map((pack) => pack.kind),
    packs.map((pack) => pack.day),
    packs.map((pack) => `{${pack.times.join(',')}}`),
    packs.map(text),
    packs.map((pack) => (pack.kind === 3 ? JSON.stringify(pack.values) : '[]')),
  ])
}

const insertEvents = `
  insert into device_event (device_id, time, event_id, token, product_id, type, params)
  select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::jsonb[])
  on conflict do nothing`

async function writeEvents(client: pg.ClientBase, devices: PastDevice[], before: number): Promise<void> {
  const old = devices.flatMap((device) =>
    device.events.filter(({ at }) => at < before).map((event) => ({ device, event })),
  )
  if (old.length === 0) return
  await client.query(insertEvents, [
    old.map(({ device }) => device.deviceID),
    old.map(({ event }) => event.at),
    old.map(({ event }) => event.eventID),
    old.map(({ event }) => tokenOf(event.at)),
    old.map(({ device }) => device.productID),
    old.map(({ event }) => event.type),
    old.map(({ event }) => JSON.stringify(event.params)),
  ])
}

const tokenOf = (at: number): string => `past-${at.toString(36)}`

function entriesOf(device: PastDevice, since: number, nextSeq: () => number): JournalEntry[] {
  const { deviceID, productID, deviceName, logDays } = device
  const common = { deviceID, productID, deviceName, logDays, up: true, code: 200, msg: '', latency: usualLatency }
  const report = ({ at, values }: PastReport): JournalEntry => ({
    ...common,
    at,
    seq: nextSeq(),
    kind: JournalKind.property,
    topic: `$thing/up/property/${productID}/${deviceName}`,
    method: 'report',
    token: tokenOf(at),
    deviceTime: at,
    content: JSON.stringify(values),
    dataID: '',
    values,
  })
  const event = ({ at, eventID, params }: PastEvent): JournalEntry => ({
    ...common,
    at,
    seq: nextSeq(),
    kind: JournalKind.event,
    topic: `$thing/up/event/${productID}/${deviceName}`,
    method: 'eventPost',
    token: tokenOf(at),
    deviceTime: at,
    content: JSON.stringify(params),
    dataID: eventID,
    values: undefined,
  })
  const broke = (at: number): JournalEntry => ({
    ...common,
    at,
    seq: nextSeq(),
    kind: JournalKind.disconnected,
    topic: '',
    method: '',
    token: '',
    deviceTime: 0,
    content: JSON.stringify({ reason: brokenText }),
    dataID: '',
    values: undefined,
  })
  return [
    ...[device.brokeAt ?? 0].filter((at) => at >= since).map(broke),
    ...device.reports.filter(({ at }) => at >= since).map(report),
    ...device.events.filter(({ at }) => at >= since).map(event),
  ]
}

async function makeParts(pool: pg.Pool, devices: PastDevice[], logsFrom: number): Promise<void> {
  const days = new Set<number>()
  const blocks = new Set<number>()
  const logs = new Set<string>()
  for (const { logDays, reports, events, brokeAt } of devices) {
    for (const { at } of [...reports, ...events, ...(brokeAt === undefined ? [] : [{ at: brokeAt }])]) {
      const day = Math.floor(at / dayMs)
      days.add(day)
      if (at >= logsFrom) logs.add(`${logDays}/${day}`)
    }
  }
  for (const day of days) blocks.add(Math.floor(day / historyBlockDays))
  for (const block of blocks) await pool.query('select history_make_part($1::integer)', [block])
  for (const log of logs) {
    const [logDays = 0, day = 0] = log.split('/').map(Number)
    await makeDayPartition(pool, logDays, day * dayMs)
  }
}

async function writeSome(client: pg.ClientBase, devices: PastDevice[], logsFrom: number, nextSeq: () => number) {
  await client.query('select from pack_state for update')
  const packed = await readWatermark(client)
  await writePacks(
    client,
    devices.flatMap((device) => packsOf(device, packed)),
  )
  await writeEvents(client, devices, packed)
  const encode = makeRowEncoder()
  const entries = devices.flatMap((device) => entriesOf(device, Math.min(packed, logsFrom), nextSeq))
  // In the order of receipt, as the index by time wants them.
  entries.sort((a, b) => a.at - b.at)
  for (let at = 0; at < entries.length; at += copyRows) {
    await copyIn(client, copyStatement, encode(entries.slice(at, at + copyRows)))
  }
}

export function makePgBackfill(pool: pg.Pool, nextSeq: () => number): Backfill {
  return {
    async write(devices, logsFrom) {
      await makeParts(pool, devices, logsFrom)
      for (let at = 0; at < devices.length; at += devicesAtOnce) {
        const client = await pool.connect()
        try {
          await client.query('begin')
          await writeSome(client, devices.slice(at, at + devicesAtOnce), logsFrom, nextSeq)
          await client.query('commit')
          client.release()
        } catch (error) {
          client.release(error as Error)
          throw error
        }
      }
    },
    remove: (deviceIDs) => dropDevices(pool, deviceIDs),
  }
}
