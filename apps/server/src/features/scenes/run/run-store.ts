/** Runs in the database. Steps are appended, so that a late reply of a device and the next step do not undo each other. */
import { RunResult, SceneStatus } from '@ithings/contract/features/scenes/info.ts'
import type { LoggedAction } from '@ithings/contract/features/scenes/log.ts'
import { type Selectable, sql } from 'kysely'
import { jsonText, storableText } from '#db/json-text.ts'
import { openReceivers } from '#db/scene-receivers.ts'
import type { Db } from '#db/schema.ts'
import type { SceneRunTable } from '#db/tables/scenes.ts'
import type { SceneFiring } from '../engine/engine-types.ts'
import type { OpenRun } from './open-run.ts'

/** What the cause of a scheduled run begins with; its moment (ms) follows. */
export const timerCause = 'timer:'

type RunRow = Selectable<SceneRunTable> & { scene_name: string; scene_status: number }

const toOpenRun = (db: Db, row: RunRow): OpenRun => ({
  runID: row.run_id,
  sceneID: row.scene_id,
  sceneName: row.scene_name,
  plan: openReceivers(db, row.plan),
  step: row.step,
  actions: row.actions,
  device:
    row.device_id === 0
      ? undefined
      : { deviceID: row.device_id, productID: row.product_id, deviceName: row.device_name },
  triggerText: row.trigger_text,
  seen: row.seen,
  conditions: row.conditions,
  traceID: row.trace_id,
  userName: row.user_name,
  depth: row.depth,
  firedAt: row.fired_at,
  startedAt: row.started_at,
  latency: row.latency,
  resumed: true,
  patient: true,
})

/**
 * One statement, because the first action waits for it.
 * @returns undefined when the scene is gone or switched off, or fired for this cause already
 */
export async function insertRun(
  db: Db,
  firing: SceneFiring,
  { serverID, now }: { serverID: string; now: number },
): Promise<OpenRun | undefined> {
  const { sceneID, cause, device, seen, conditions, traceID, firedAt, depth } = firing
  const triggerText = storableText(firing.triggerText)
  const userName = storableText(firing.userName)
  const { rows } = await sql<{ run_id: number; name: string; actions: string }>`
    with fired as (select id, name, trigger_type, actions from scene
      where id = ${sceneID} and status = ${SceneStatus.enabled}),
    made as (
      insert into scene_run (scene_id, cause, result, trigger_type, trigger_text, seen, conditions, plan, depth, device_id,
        product_id, device_name, trace_id, user_name, fired_at, started_at, server_id)
      select id, ${cause}, ${RunResult.running}, trigger_type, ${triggerText}, ${jsonText(seen)}::jsonb,
        ${jsonText(conditions)}::jsonb, actions::jsonb, ${depth}, ${device?.deviceID ?? 0}, ${device?.productID ?? ''},
        ${device?.deviceName ?? ''}, ${traceID}, ${userName}, ${firedAt}, ${now}, ${serverID}
      from fired on conflict (scene_id, cause) do nothing returning run_id)
    select made.run_id, fired.name, fired.actions from made, fired`.execute(db)
  const [row] = rows
  if (!row) return undefined
  return {
    runID: row.run_id,
    sceneID,
    sceneName: row.name,
    plan: openReceivers(db, JSON.parse(row.actions)),
    step: 0,
    actions: [],
    device,
    triggerText,
    seen,
    conditions,
    traceID,
    userName,
    depth,
    firedAt,
    startedAt: now,
    latency: -1,
    resumed: false,
    patient: cause.startsWith(timerCause),
  }
}

const ofRuns = sql`
  scene_run.run_id, scene_run.scene_id, scene_run.plan, scene_run.step, scene_run.actions, scene_run.device_id,
  scene_run.product_id, scene_run.device_name, scene_run.trigger_text, scene_run.seen, scene_run.conditions,
  scene_run.trace_id, scene_run.user_name, scene_run.depth, scene_run.fired_at, scene_run.started_at,
  scene_run.latency, scene.name as scene_name, scene.status as scene_status`

/** The answer to our insert was lost with the connection: is it there after all? */
export async function findOwnRun(db: Db, firing: SceneFiring, serverID: string): Promise<OpenRun | undefined> {
  const { rows } = await sql<RunRow>`
    select ${ofRuns} from scene_run join scene on scene.id = scene_run.scene_id
    where scene_run.scene_id = ${firing.sceneID} and scene_run.cause = ${firing.cause}
      and scene_run.server_id = ${serverID} and scene_run.result = ${RunResult.running}
      and scene_run.step = 0`.execute(db)
  return rows[0] && toOpenRun(db, rows[0])
}

export interface RunChange {
  /** What the steps since the last change came to. */
  added: LoggedAction[]
  result: RunResult
  reason?: string
  now: number
  /** waiting: until then. */
  resumeAt?: number
}

const isOver = (result: RunResult) => result !== RunResult.running && result !== RunResult.waiting

/** @returns false when the run is no longer ours: its scene was deleted, or another server took us for dead */
export async function saveRun(db: Db, serverID: string, run: OpenRun, change: RunChange): Promise<boolean> {
  const { added, result, reason = '', now, resumeAt = null } = change
  const { numAffectedRows = 0n } = await sql`
    update scene_run set actions = actions || ${jsonText(added)}::jsonb, step = ${run.step}, result = ${result},
      reason = ${storableText(reason)}, resume_at = ${resumeAt}, latency = ${run.latency},
      finished_at = ${isOver(result) ? now : 0}, server_id = ${result === RunResult.running ? serverID : ''}
    where run_id = ${run.runID} and server_id = ${serverID} and result = ${RunResult.running}`.execute(db)
  return numAffectedRows > 0n
}

export async function storedActions(db: Db, runID: number): Promise<LoggedAction[]> {
  const row = await db.selectFrom('scene_run').select('actions').where('run_id', '=', runID).executeTakeFirst()
  return row?.actions ?? []
}

export async function replaceStep(db: Db, runID: number, step: number, entry: LoggedAction): Promise<void> {
  await sql`
    update scene_run set actions = jsonb_set(actions, array[${String(step)}], ${jsonText(entry)}::jsonb)
    where run_id = ${runID} and jsonb_array_length(actions) > ${step}`.execute(db)
}

/** Delays that are over: whoever gets the row goes on with it. */
export async function claimDue(
  db: Db,
  { serverID, now, most }: { serverID: string; now: number; most: number },
): Promise<Array<OpenRun & { enabled: boolean }>> {
  const { rows } = await sql<RunRow>`
    update scene_run set result = ${RunResult.running}, server_id = ${serverID}, resume_at = null
    from scene
    where scene.id = scene_run.scene_id and run_id in (
      select run_id from scene_run where result = ${RunResult.waiting} and resume_at <= ${now}
      order by resume_at limit ${most} for update skip locked)
    returning ${ofRuns}`.execute(db)
  return rows.map((row) => ({ ...toOpenRun(db, row), enabled: row.scene_status === SceneStatus.enabled }))
}

/** ms; undefined: nothing waits. */
export async function nextDue(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ at: number | null }>`
    select min(resume_at) as at from scene_run where result in (${RunResult.running}, ${RunResult.waiting})`.execute(db)
  return rows[0]?.at ?? undefined
}

/** Ours, but forgotten because the database could not be reached for long. */
const forgottenAfterMs = 120_000

/** Runs whose server is gone, which presence decides (heartbeat.ts); and ours that nobody here knows of. */
export async function takeOver(
  db: Db,
  { serverID, now, most, open }: { serverID: string; now: number; most: number; open: number[] },
): Promise<OpenRun[]> {
  const { rows } = await sql<RunRow>`
    update scene_run set server_id = ${serverID} from scene
    where scene.id = scene_run.scene_id and run_id in (
      select run_id from scene_run r where r.result = ${RunResult.running} and r.resume_at is null and case when r.server_id = ${serverID}
        then r.run_id <> all(${open}::bigint[]) and r.started_at < ${now - forgottenAfterMs}
        else not exists (select from platform_server p where p.server_id = r.server_id) end
      order by run_id limit ${most} for update skip locked)
    returning ${ofRuns}`.execute(db)
  return rows.map((row) => toOpenRun(db, row))
}
