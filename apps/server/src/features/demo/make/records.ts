/** Alarm records, their occurrences and the runs that raised them, as if scenes had run for seven days. */
import { hourMs, minuteMs } from '@ithings/contract/durations.ts'
import { DealState, DealType, dealResults } from '@ithings/contract/features/alarms/record.ts'
import { RunResult } from '@ithings/contract/features/scenes/info.ts'
import type { Translate } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import { jsonText } from '#db/json-text.ts'
import type { Db } from '#db/schema.ts'
import type { Loading } from '../demo-deps.ts'
import { type Incident, type IncidentRecord, incidentRecords } from '../fleet/incidents.ts'
import { demoProducts } from '../fleet/products.ts'
import type { MadeDevice } from './devices.ts'
import type { MadeRules } from './rules.ts'

type MadeAlarm = MadeRules['alarms'][number]
type MadeScene = MadeRules['scenes'][number]

const results = ['已派人到场处理，恢复正常', '更换滤网后恢复', '电话确认，属于计划检修', '已远程降载并观察']

/** Its name and what was seen, as people read it. */
function seenOf({ productID, dataID, value }: Incident, t: Translate): { name: string; seen: string } {
  const property = demoProducts
    .find((one) => one.productID === productID)
    ?.model.properties.find((one) => one.identifier === dataID)
  return { name: t(property?.name ?? dataID), seen: `${value} ${t(property?.define.unit ?? '')}`.trim() }
}

const limitOf = ({ planned: { limit } }: MadeScene) => (limit === undefined ? {} : { threshold: [limit] })

/** @param said of the scene, in the same language */
function causeOf(incident: Incident, said: string, t: Translate): string {
  return t('{name} {seen}（{said}）', { ...seenOf(incident, t), said })
}

async function addRun(db: Db, { scene, deviceID }: Place, incident: Incident, t: Translate): Promise<number> {
  const { alarm, productID, deviceName, dataID, at } = incident
  const { sceneID, planned } = scene
  const action = { executor: 'alarm', ok: true, code: 200, msg: '', startTime: at + 9, endTime: at + 21, devices: [] }
  const { run_id: runID } = await db
    .insertInto('scene_run')
    .values({
      scene_id: sceneID,
      cause: `demo:${alarm}:${deviceName}:${at}`,
      result: RunResult.success,
      trigger_type: planned.triggerType,
      // As the engine writes it: what was seen stands beside it.
      trigger_text: planned.said,
      seen: jsonText({ dataID, value: seenOf(incident, t).seen, ...limitOf(scene) }),
      actions: jsonText([{ ...action, text: t('触发告警') }]),
      plan: sql<string>`(select actions::jsonb from scene where id = ${sceneID})`,
      step: planned.then.length,
      device_id: deviceID,
      product_id: productID,
      device_name: deviceName,
      fired_at: at,
      started_at: at,
      finished_at: at + 24,
      resume_at: null,
      latency: 9,
    })
    .returning('run_id')
    .executeTakeFirstOrThrow()
  return runID
}

function endOf({ end, incidents }: IncidentRecord, nr: number, { user: { userName }, t }: Pick<Loading, 'user' | 't'>) {
  const last = incidents.at(-1)?.at ?? 0
  if (end === 'open') return { deal_state: DealState.alarming, dealt_at: 0, dealt_by: '', deal_result: '' }
  const human = end === 'handled'
  return {
    deal_state: DealState.handled,
    dealt_at: last + (human ? 35 + (nr % 5) * 11 : 48) * minuteMs,
    dealt_by: human ? userName : '',
    deal_result: human ? t(results[nr % results.length] ?? '') : dealResults.relieved,
  }
}

interface Place {
  alarm: MadeAlarm
  scene: MadeScene
  deviceID: number
  nr: number
}

async function addRecord({ deps, user, t }: Loading, db: Db, record: IncidentRecord, place: Place): Promise<void> {
  const { alarm, scene, nr } = place
  const [first] = record.incidents
  const last = record.incidents.at(-1)
  if (!first || !last) return
  const { productID: product_id, deviceName: device_name } = last
  const end = endOf(record, nr, { user, t })
  const common = {
    scene_id: scene.sceneID,
    scene_name: scene.planned.name,
    level: alarm.level,
    product_id,
    device_name,
  }
  const { id } = await db
    .insertInto('alarm_record')
    .values({
      ...common,
      ...end,
      alarm_id: alarm.alarmID,
      trigger_type: 1,
      first_alarm: first.at,
      last_alarm: last.at,
      count: record.incidents.length,
      total_count: record.incidents.length,
      cause: causeOf(last, scene.planned.said, t),
      due_at: first.at + (alarm.level >= 4 ? 60 : 480) * minuteMs,
      created_at: first.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const incident of record.incidents) {
    const runID = await addRun(db, place, incident, t)
    const trigger = causeOf(incident, scene.planned.said, t)
    const { dataID, at } = incident
    const seen = { dataID, value: seenOf(incident, t).seen, ...limitOf(scene) }
    const cause = { trigger, ...seen, conditions: [], tranceID: '', runID: String(runID) }
    await db
      .insertInto('alarm_log')
      .values({
        ...common,
        alarm_record_id: id,
        description: trigger,
        serial: JSON.stringify(cause),
        run_id: runID,
        created_at: at,
      })
      .execute()
  }
  if (record.end === 'open') return
  const human = record.end === 'handled'
  await db
    .insertInto('alarm_deal')
    .values({
      alarm_record_id: id,
      result: end.deal_result,
      type: human ? DealType.human : DealType.system,
      alarm_time: last.at,
      user_id: human ? user.userID : 0,
      user_name: end.dealt_by,
      created_at: Math.min(end.dealt_at, deps.clock.now()),
    })
    .execute()
}

/** What lists of scenes show of their runs. */
async function markScenes(db: Db, sceneIDs: number[]): Promise<void> {
  await sql`
    insert into scene_tally (scene_id, hour, fired)
    select scene_id, started_at / ${hourMs}::bigint * ${hourMs}::bigint, count(*) from scene_run
    where scene_id = any(${sceneIDs}::integer[]) group by 1, 2
    on conflict (scene_id, hour) do nothing`.execute(db)
  await sql`
    update scene set last_run_at = ran.at, last_result = ${RunResult.success}
    from (select scene_id, max(started_at) as at from scene_run group by 1) ran
    where scene.id = ran.scene_id and scene.id = any(${sceneIDs}::integer[]) and last_run_at = 0`.execute(db)
}

export async function makeRecords(loading: Loading, devices: MadeDevice[], rules: MadeRules): Promise<void> {
  const ids = new Map(devices.map(({ deviceID, planned }) => [planned.deviceName, deviceID]))
  await loading.deps.db.transaction().execute(async (db) => {
    for (const [nr, record] of incidentRecords(loading.now).entries()) {
      const alarm = rules.alarms.find(({ key }) => key === record.alarm)
      const scene = rules.scenes.find(({ planned }) => planned.alarm === record.alarm)
      const deviceID = ids.get(record.incidents[0]?.deviceName ?? '')
      if (!alarm || !scene || !deviceID) throw new Error(`an incident of ${record.alarm} has no alarm or device`)
      await addRecord(loading, db, record, { alarm, scene, deviceID, nr })
    }
    await markScenes(
      db,
      rules.scenes.map(({ sceneID }) => sceneID),
    )
  })
}
