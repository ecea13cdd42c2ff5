/**
 * Raising (rules.md 5, decisions.md 2 "Alarm record"): one statement opens, re-opens or counts the record of each alarm,
 * so that any number of triggers at the same moment make one record and lose none. What people are told is stored in
 * the same transaction: a crash neither loses nor doubles it.
 */
import { type AlarmCause, AlarmTrigger, DealState } from '@ithings/contract/features/alarms/record.ts'
import { clipKept, kept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import { storableText } from '#db/json-text.ts'
import type { Db } from '#db/schema.ts'
import { queueNotice } from '#features/notify/door.ts'
import { type RaisingRun, withSeen } from '#features/scenes/door.ts'
import { namesOf, raisedNotice, type ToldRecord } from './alarm-notice.ts'
import { notifyOf } from './alarm-wire.ts'
import type { AlarmsDeps } from './alarms-deps.ts'
import { noticeSettings } from './notice-settings.ts'
import type { AlarmRow } from './store.ts'

const maxCause = 500
/** How many of these characters the trigger may take; the rest is for the value that was seen. */
const maxTrigger = 400

/** A link of the scene; without an id this run has raised it before. */
interface RaisedRow extends Omit<ToldRecord, 'id'> {
  id: number | null
  name: string
  notify: AlarmRow['notify']
  told: boolean
}

function serialOf(run: RaisingRun): string {
  const { dataID, value, threshold } = run.seen
  const cause: AlarmCause = {
    trigger: run.triggerText,
    ...(dataID === undefined ? {} : { dataID }),
    ...(value === undefined ? {} : { value }),
    ...(threshold === undefined ? {} : { threshold }),
    conditions: run.conditions,
    tranceID: run.traceID,
    runID: String(run.runID),
  }
  return JSON.stringify(cause)
}

/** For people: what was asked for, and what there was. */
function causeText({ triggerText, seen }: RaisingRun): string {
  const trigger = clipKept(storableText(triggerText), maxTrigger)
  return clipKept(withSeen(trigger, seen.value ?? ''), maxCause)
}

/**
 * Alarms in the order of their ids, as everybody who locks several records does (see clear-alarm.ts, deal-records.ts).
 * Told are: who had not been told since it opened, once it does not flap, and then whenever the interval is over. The
 * same by the clock is in tell-standing.ts.
 */
async function raiseAll(db: Db, run: RaisingRun, now: number): Promise<RaisedRow[]> {
  const { runID, sceneID, device } = run
  const cause = causeText(run)
  const sceneName = storableText(run.sceneName)
  const open = sql.lit(DealState.alarming)
  const triggerType = device ? AlarmTrigger.device : AlarmTrigger.other
  const { tells, renotifyMs, flapMs, slaMs } = noticeSettings
  const { rows } = await sql<RaisedRow>`
    with given as (
      select ${now}::bigint as now, ${runID}::bigint as run_id, ${sceneID}::int as scene_id, ${sceneName} as scene_name,
        ${triggerType}::smallint as trigger_type, ${device?.productID ?? ''} as product_id,
        ${device?.deviceName ?? ''} as device_name, ${cause} as cause
    ), linked as materialized (
      select a.id, a.name, a.level, a.notify, ${tells} as tells, ${renotifyMs} as renotify_ms, ${flapMs} as flap_ms,
        ${slaMs} as sla_ms
      from alarm a join alarm_scene s on s.alarm_id = a.id
      where s.scene_id = ${sceneID} and a.status = 1 order by a.id for key share of a
    ), raised as (
      insert into alarm_record as r (alarm_id, trigger_type, product_id, device_name, scene_id, scene_name, level,
        deal_state, first_alarm, last_alarm, count, total_count, cause, due_at, notified_at, notified_run, created_at)
      select l.id, g.trigger_type, g.product_id, g.device_name, g.scene_id, g.scene_name, l.level,
        ${open}, g.now, g.now, 1, 1, g.cause, case when l.sla_ms > 0 then g.now + l.sla_ms else 0 end,
        case when l.tells then g.now else 0 end, case when l.tells then g.run_id else 0 end, g.now
      from linked l cross join given g order by l.id
      on conflict (alarm_id, product_id, device_name) do update set
        trigger_type = excluded.trigger_type, scene_id = excluded.scene_id, scene_name = excluded.scene_name,
        level = excluded.level, deal_state = excluded.deal_state, cause = excluded.cause,
        last_alarm = greatest(r.last_alarm, excluded.last_alarm), total_count = r.total_count + 1,
        count = case when r.deal_state = ${open} then r.count + 1 else 1 end,
        first_alarm = case when r.deal_state = ${open} then r.first_alarm else excluded.first_alarm end,
        due_at = case when r.deal_state = ${open} then r.due_at else excluded.due_at end,
        claim_user_id = case when r.deal_state = ${open} then r.claim_user_id else 0 end,
        claim_user = case when r.deal_state = ${open} then r.claim_user else '' end,
        claimed_at = case when r.deal_state = ${open} then r.claimed_at else 0 end,
        (notified_at, notified_run) = (
          select case when tell then excluded.created_at else r.notified_at end,
            case when tell then ${runID}::bigint else r.notified_run end
          from (
            select l.tells and case when r.deal_state <> ${open} or r.notified_at < r.first_alarm
              then l.flap_ms = 0 or excluded.created_at - r.dealt_at >= l.flap_ms
              else l.renotify_ms > 0 and excluded.created_at - r.notified_at >= l.renotify_ms end as tell
            from linked l where l.id = r.alarm_id
          ) decided)
      where not exists (select from alarm_log g where g.alarm_record_id = r.id and g.run_id = ${runID})
      returning r.*
    ), logged as (
      insert into alarm_log (alarm_record_id, description, serial, scene_id, scene_name, level, product_id, device_name,
        run_id, created_at)
      select r.id, g.cause, ${serialOf(run)}, g.scene_id, g.scene_name, r.level, g.product_id, g.device_name, g.run_id,
        g.now from raised r cross join given g order by r.alarm_id
    )
    select l.name, l.notify, l.id as alarm_id, r.id, r.product_id, r.device_name, r.scene_id, r.scene_name, r.level,
      r.first_alarm, r.last_alarm, r.count, r.cause, r.notified_run = ${runID} as told
    from linked l left join raised r on r.alarm_id = l.id order by l.id`.execute(db)
  return rows
}

const isRaised = (row: RaisedRow): row is RaisedRow & { id: number } => row.id !== null

const tries = 3
/** The same run raised by two at once: the second waits, and then finds that its log entry exists. */
const raisedMeanwhile = (error: unknown) =>
  (error as { constraint?: string }).constraint === 'alarm_log_alarm_record_id_run_id_key'

interface Raised {
  rows: RaisedRow[]
  /** Why somebody could not be told. */
  problems: string[]
}

async function raiseOnce(deps: AlarmsDeps, run: RaisingRun): Promise<Raised> {
  const raised = await deps.db.transaction().execute(async (db): Promise<Raised> => {
    const rows = await raiseAll(db, run, deps.clock.now())
    const problems: string[] = []
    for (const row of rows) {
      if (!isRaised(row) || !row.told) continue
      const alarm = { name: row.name, notify: notifyOf(row.notify) }
      const telling = { key: run.runID, time: row.last_alarm, again: row.count > 1 }
      const notice = raisedNotice(row, alarm, await namesOf(db, row), telling)
      problems.push(...(await queueNotice(deps.notify, notice, db)).problems)
    }
    return { rows, problems }
  })
  if (raised.rows.some((row) => row.told)) deps.notify.bell.ring()
  return raised
}

export async function raiseAlarms(deps: AlarmsDeps, run: RaisingRun): Promise<{ alarms: string[]; text: string }> {
  let done: Raised | undefined
  for (let attempt = 1; !done; attempt++) {
    try {
      done = await raiseOnce(deps, run)
    } catch (error) {
      if (attempt >= tries || !raisedMeanwhile(error)) throw error
    }
  }
  const { rows, problems } = done
  const raised = rows.filter(isRaised)
  if (raised.length > 0) {
    deps.bus.emit('alarm.changed', {
      recordIDs: raised.map((row) => row.id),
      opened: raised.some((row) => row.count === 1),
    })
  }
  const alarms = rows.map((row) => row.name)
  const text = alarms.length === 0 ? kept('没有关联启用的告警') : kept('触发告警：{alarms}', { alarms })
  return { alarms, text: [text, ...new Set(problems)].join(kept('；')) }
}
