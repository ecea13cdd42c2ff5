/**
 * How long devices were online: from `device_presence`, which a trigger writes with every change. A device counts from its
 * first sign-in on, and from the moment on that changes are written down.
 */
import { dayMs } from '@ithings/contract/durations.ts'
import { kept, type Translate } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { Period } from '../periods.ts'
import type { ReportDevice } from './find-devices.ts'
import { type Availability, availabilityOf, type PresenceChange } from './presence-time.ts'
import type { ReportSection } from './report-data.ts'

/** Devices at a time: one that comes and goes every minute has many rows. */
const portion = 100

/** What each device was at the beginning of its span, as far as its changes tell. */
async function statesAt(db: Db, ids: number[], starts: number[]): Promise<Map<number, boolean>> {
  const { rows } = await sql<{ id: number; online: boolean }>`
    select asked.id, coalesce(
      (select online from device_presence where device_id = asked.id and at <= asked.start order by at desc limit 1),
      (select not online from device_presence where device_id = asked.id and at > asked.start order by at limit 1),
      device.is_online = 1) as online
    from unnest(${ids}::bigint[], ${starts}::bigint[]) as asked (id, start) join device on device_id = asked.id`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.id, row.online]))
}

async function changesOf(db: Db, ids: number[], { from, to }: Period): Promise<Map<number, PresenceChange[]>> {
  const { rows } = await sql<PresenceChange & { id: number }>`
    select device_id as id, at, online from device_presence
    where device_id = any(${ids}::bigint[]) and at > ${from} and at < ${to} order by device_id, at`.execute(db)
  return Map.groupBy(rows, (row) => row.id)
}

/** @returns of each device; undefined: it was not there yet */
export async function readAvailability(
  db: Db,
  devices: readonly ReportDevice[],
  period: Period,
  now: number,
): Promise<Map<number, Availability | undefined>> {
  const [began] = await db.selectFrom('device_presence_start').select('at').limit(1).execute()
  const to = Math.min(period.to, now)
  const found = new Map<number, Availability | undefined>()
  for (let at = 0; at < devices.length; at += portion) {
    const some = devices.slice(at, at + portion)
    const ids = some.map((one) => one.deviceID)
    const starts = some.map(({ firstLogin = to }) => Math.max(period.from, began?.at ?? 0, firstLogin))
    const states = await statesAt(db, ids, starts)
    const changes = await changesOf(db, ids, { from: period.from, to })
    for (const [index, id] of ids.entries()) {
      const span = { from: starts[index] ?? to, to }
      found.set(id, availabilityOf(span, states.get(id) ?? false, changes.get(id) ?? []))
    }
  }
  return found
}

export const percent = (share: number): string => `${(Math.floor(share * 10_000) / 100).toFixed(2)}%`

/** 1 d 02:03:04 */
export function durationText(ms: number): string {
  const days = Math.floor(ms / dayMs)
  const clock = new Date(ms % dayMs).toISOString().slice(11, 19)
  return days > 0 ? `${days} d ${clock}` : clock
}

export async function availabilitySection(
  db: Db,
  devices: readonly ReportDevice[],
  period: Period,
  { now, t, timeText }: { now: number; t: Translate; timeText(time: number): string },
): Promise<ReportSection> {
  const found = await readAvailability(db, devices, period, now)
  const known = [...found.values()].filter((one) => one !== undefined)
  const sum = (of: (one: Availability) => number) => known.reduce((total, one) => total + of(one), 0)
  const base = sum((one) => one.base)
  const columns = [
    { head: t('设备'), type: 'text' as const },
    { head: t('产品'), type: 'text' as const },
    { head: t('在线比例'), type: 'text' as const },
    { head: t('在线时长'), type: 'text' as const },
    { head: t('离线次数'), type: 'integer' as const },
    { head: t('最长离线'), type: 'text' as const },
    { head: t('统计起点'), type: 'text' as const },
  ]
  const rows = devices.map(({ deviceID, label, productName }) => {
    const one = found.get(deviceID)
    if (!one) return [label, productName, t('无数据'), '', null, '', '']
    const { base: whole, online, outages, longest, since } = one
    const times = [durationText(online), outages, durationText(longest), timeText(since)]
    return [label, productName, percent(online / whole), ...times]
  })
  return {
    tables: [{ title: t('可用率'), columns, rows }],
    facts: [
      { label: kept('平均在线比例'), value: base > 0 ? percent(sum((one) => one.online) / base) : '—' },
      { label: kept('离线次数'), value: String(sum((one) => one.outages)) },
    ],
  }
}
