/** A push of the newest version: a run of the shared machinery, its devices listed here. */

import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors } from '@ithings/contract/errors.ts'
import { configPushLimits, configTopic, type pushConfig as endpoint } from '@ithings/contract/features/remote-config.ts'
import { kept, phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { refuseStaleEdit } from '#db/stale-edit.ts'
import { type JobContext, type JobKind, startJob } from '#features/jobs/door.ts'
import { RunState } from '#features/rollouts/door.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { countTargets, resolveTargets, type Targets, targetCondition } from './push-targets.ts'
import type { RemoteConfigDeps } from './remote-config-deps.ts'
import { lockProduct, requireVersion } from './store.ts'

/** More devices than this are listed by a job. */
const mostInline = 1_000
const step = 5_000
/** A script that is busy or a broker that is in trouble; an offline device waits without being tried. */
const retries = 3
const retryMs = 10_000

export const pushJobKind = 'config.push'

interface PushPlan {
  runID: number
  targets: Targets
}

/** Beginning again finds what is there: devices that the run has are left alone. */
async function listDevices(
  deps: RemoteConfigDeps,
  db: Db,
  { runID, targets }: PushPlan,
  told: (done: number) => Promise<void> = async () => {},
): Promise<void> {
  for (let last = 0, done = 0; ; ) {
    const { rows } = await sql<{ device_id: number; device_name: string }>`
      select device_id, device_name from device
      where ${targetCondition(targets)} and device_id > ${last}
      order by device_id limit ${step}`.execute(db)
    const devices = rows.map((row) => ({
      deviceID: row.device_id,
      productID: targets.productID,
      deviceName: row.device_name,
    }))
    if (devices.length > 0) await deps.rollouts.addRows(db, runID, devices)
    last = rows.at(-1)?.device_id ?? last
    done += rows.length
    await told(done)
    if (rows.length < step) break
  }
  await deps.rollouts.ready(db, runID)
}

const openRuns = (db: Db, productID: string) =>
  db
    .selectFrom('rollout')
    .select('run_id')
    .where('kind', '=', 'config')
    .where('product_id', '=', productID)
    .where('state', 'not in', [RunState.done, RunState.cancelled])
    .execute()

export async function startPush(deps: RemoteConfigDeps, input: BodyOutput<typeof endpoint>, user: SignedInUser) {
  const { productID, rate, basedOn } = input
  const started = await deps.db.transaction().execute(async (db) => {
    await lockProduct(db, productID)
    const { id: configID } = await requireVersion(db, productID)
    refuseStaleEdit(basedOn, configID)
    const { targets, scope } = await resolveTargets(db, input, configID)
    const replaces = targets.deviceIDs === undefined && targets.groupIDs === undefined
    const open = await openRuns(db, productID)
    if (!replaces && open.length >= configPushLimits.openRuns) {
      throw new AppError(errors.ongoing, {
        msg: phrase('该产品已有 {count} 次下发未结束，请先取消不再需要的下发', { count: open.length }),
      })
    }
    const { total } = await countTargets(db, targets)
    const runID = await deps.rollouts.create(db, {
      kind: 'config',
      ownerID: configID,
      productID,
      topic: configTopic(productID),
      trigger: scope,
      perMinute: rate,
      retries,
      retryMs,
      startAt: deps.clock.now(),
      userName: user.userName,
    })
    const plan: PushPlan = { runID, targets }
    const inline = total <= mostInline
    if (inline) await listDevices(deps, db, plan)
    return { plan, configID, total, inline, replaced: replaces ? open : [] }
  })
  // Whoever waits for an older push gets this one.
  for (const { run_id } of started.replaced) await deps.rollouts.cancelRun(run_id, kept('已由新的下发取代'))
  const runID = String(started.plan.runID)
  if (started.inline) {
    deps.rollouts.nudge()
    return { jobID: '', runID }
  }
  const title = kept('下发远程配置 {configID}', { configID: started.configID })
  return {
    jobID: await startJob(deps.jobs, { kind: pushJobKind, title, input: started.plan, total: started.total, user }),
    runID,
  }
}

async function run(deps: RemoteConfigDeps, { input, progress }: JobContext<PushPlan>) {
  const { total } = await countTargets(deps.db, input.targets)
  await listDevices(deps, deps.db, input, (done) => progress(done, Math.max(total, done)))
  deps.rollouts.nudge()
  return { runID: String(input.runID) }
}

export const pushJob = (deps: RemoteConfigDeps): JobKind => ({
  kind: pushJobKind,
  run: (context) => run(deps, context as JobContext<PushPlan>),
})
