import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { AlarmInfo, alarmSortFields, listAlarms as endpoint } from '@ithings/contract/features/alarms/config.ts'
import { sql } from 'kysely'
import { asked, fetchPage } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import { type AlarmCounts, toAlarmInfo } from './alarm-wire.ts'
import { hasID, unknownAlarm } from './store.ts'

const openCount = sql<number>`(select count(*) from alarm_record r where r.alarm_id = alarm.id and r.deal_state = 2)`

const columns = {
  name: 'name',
  level: 'level',
  status: 'status',
  createdTime: 'created_at',
  openCount,
} as const satisfies Record<(typeof alarmSortFields)[number], unknown>

/** json, not jsonb: texts of actions may hold characters that jsonb refuses. */
const raises = sql<boolean>`case when scene.actions like '[%' then exists (
  select from json_array_elements(scene.actions::json) one
  where one ->> 'executor' = 'alarm' and one -> 'alarm' ->> 'mode' = 'trigger') else false end`

interface CountRow extends AlarmCounts {
  id: number
}

async function countsOf(db: Db, ids: number[]): Promise<(id: number) => AlarmCounts> {
  const { rows } = await sql<CountRow>`
    with linked as (
      select alarm_scene.alarm_id, count(*) as scenes, count(*) filter (where ${raises}) as raising
      from alarm_scene join scene on scene.id = alarm_scene.scene_id
      where alarm_scene.alarm_id = any(${ids}::int[]) group by 1)
    select alarm.id, coalesce(linked.scenes, 0) as scenes, coalesce(linked.raising, 0) as raising, ${openCount} as open
    from alarm left join linked on linked.alarm_id = alarm.id where alarm.id = any(${ids}::int[])`.execute(db)
  const counts = new Map(rows.map((row) => [row.id, row]))
  return (id) => counts.get(id) ?? { scenes: 0, raising: 0, open: 0 }
}

export async function readAlarm(db: Db, { id }: { id: number }): Promise<AlarmInfo> {
  const row = await db.selectFrom('alarm').selectAll().where(hasID(id)).executeTakeFirst()
  if (!row) throw unknownAlarm(id)
  return toAlarmInfo(row, (await countsOf(db, [id]))(id))
}

export async function listAlarms(db: Db, input: BodyOutput<typeof endpoint>) {
  const { name, sceneID, alarmIDs, levels } = input
  const status = input.status ?? input.state
  const filtered = db
    .selectFrom('alarm')
    .where((eb) => asked(eb, { equal: { status }, contains: { name } }))
    // 0 and empty lists come from consoles that cleared their choice: no filter.
    .$if(!!sceneID, (q) =>
      q.where(sql<boolean>`id in (select alarm_id from alarm_scene where scene_id = ${sceneID}::bigint)`),
    )
    .$if(!!alarmIDs && alarmIDs.length > 0, (q) => q.where(sql<boolean>`id = any(${alarmIDs ?? []}::bigint[])`))
    .$if(levels !== undefined && levels.length > 0, (q) => q.where('level', 'in', levels ?? []))
  const page = await fetchPage(filtered, (q) => q.selectAll(), input.page, {
    columns,
    fallback: { column: 'id', desc: true },
  })
  const counts = await countsOf(
    db,
    page.list.map((row) => row.id),
  )
  return { list: page.list.map((row) => toAlarmInfo(row, counts(row.id))), total: page.total, num: page.total }
}
