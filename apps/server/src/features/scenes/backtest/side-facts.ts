/** What is replayed besides values: events, and who came and went as far as the hub log still knows. */
import { aheadMs } from '@ithings/contract/durations.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import type { Fact } from '../engine/engine-types.ts'
import type { BacktestPlan } from './backtest-plan.ts'

/** Of one piece of the replay: more is an error rather than a full memory. */
const mostRows = 1_000_000

export interface SideFact {
  /** Index in the plan. */
  device: number
  fact: Fact
}

interface Watched {
  ids: number[]
  places: Map<number, number>
}

function devicesWith(plan: BacktestPlan, operators: readonly string[]): Watched {
  const places = new Map<number, number>()
  for (const [place, { ref, triggers }] of plan.devices.entries()) {
    if (triggers.some((list) => list.some(({ operator }) => operators.includes(operator)))) {
      places.set(ref.deviceID, place)
    }
  }
  return { ids: [...places.keys()], places }
}

interface EventRow {
  device_id: number
  time: number
  event_id: string
  params: Record<string, unknown>
}

/** Packed events and those that are still in the journal only; a repeated one counts once (decisions.md 4.2). */
async function readEvents(db: Db, ids: number[], eventIDs: string[], from: number, to: number): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select device_id, time, event_id, params from (
      select device_id, time, event_id, token, params from device_event
      where device_id = any(${ids}::bigint[]) and time >= ${from} and time < ${to} and event_id = any(${eventIDs}::text[])
      union
      (select distinct on (device_id, time, event_id, token) device_id, time, event_id, token, params from (
        select device_id, case when device_time > 0 then device_time else at end as time, data_id as event_id, token,
          content::jsonb as params, at, seq
        from journal where device_id = any(${ids}::bigint[]) and adds and kind = 4 and data_id = any(${eventIDs}::text[])
          and at >= greatest(${from - aheadMs}::bigint, (select coalesce(max(hour), 0) * 3600000 from pack_state))
      ) told where time >= ${from} and time < ${to} order by device_id, time, event_id, token, at, seq)
    ) found order by time, device_id, event_id limit ${mostRows}`.execute(db)
  return rows
}

interface PresenceRow {
  device_id: number
  at: number
  online: boolean
}

async function readPresence(db: Db, ids: number[], from: number, to: number): Promise<PresenceRow[]> {
  const { rows } = await sql<PresenceRow>`
    select device_id, at, kind = 1 as online from journal
    where device_id = any(${ids}::bigint[]) and at >= ${from} and at < ${to} and kind in (1, 2)
    order by at, seq limit ${mostRows}`.execute(db)
  return rows
}

/** undefined: the scenes have no such triggers. */
export function makeSideFacts(db: Db, plan: BacktestPlan) {
  const events = devicesWith(plan, ['reportEvent'])
  const presence = devicesWith(plan, ['connected', 'disConnected'])
  const eventIDs = [
    ...new Set(
      plan.scenes.flatMap(({ triggers }) => triggers.flatMap((t) => (t.operator === 'reportEvent' ? [t.dataID] : []))),
    ),
  ]
  const place = (watched: Watched, deviceID: number) => watched.places.get(deviceID) ?? 0
  const ref = (index: number) => (plan.devices[index] as BacktestPlan['devices'][number]).ref

  return {
    hasPresence: presence.ids.length > 0,
    async read(from: number, to: number): Promise<SideFact[]> {
      const facts: SideFact[] = []
      if (presence.ids.length > 0) {
        for (const { device_id, at, online } of await readPresence(db, presence.ids, from, to)) {
          const device = place(presence, device_id)
          facts.push({ device, fact: { kind: 'presence', device: ref(device), at, traceID: '', online } })
        }
      }
      if (events.ids.length > 0) {
        for (const row of await readEvents(db, events.ids, eventIDs, from, to)) {
          const device = place(events, row.device_id)
          const base = { device: ref(device), at: row.time, traceID: '' }
          facts.push({ device, fact: { ...base, kind: 'event', eventID: row.event_id, params: row.params } })
        }
      }
      return facts.sort((a, b) => a.fact.at - b.fact.at)
    },
  }
}
