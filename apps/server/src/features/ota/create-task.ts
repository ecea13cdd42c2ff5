/** A task and its run in one transaction; its devices follow here or in a job. */
import { randomBytes } from 'node:crypto'
import { minuteMs } from '@ithings/contract/durations.ts'
import { type OtaTaskInput, otaTopic } from '@ithings/contract/features/ota/task.ts'
import { kept } from '@ithings/contract/text.ts'
import type { Db } from '#db/schema.ts'
import { startJob } from '#features/jobs/door.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { checkPlan, refuseSecondDynamic } from './check-plan.ts'
import type { OtaDeps } from './ota-deps.ts'
import { prepareKind, prepareTask } from './prepare-task.ts'
import { countCandidates, type TargetQuestion } from './targets.ts'

/** More than this are listed by a job. */
const mostInline = 1_000

/** Sorts by time and can be read out on the phone. */
const newUid = (now: number): string =>
  `${new Date(now).toISOString().replaceAll(/\D/g, '').slice(2, 14)}${randomBytes(3).toString('hex')}`

async function insertTask(
  deps: OtaDeps,
  tx: Db,
  { plan, deviceList, productID }: TargetQuestion,
  userName: string,
): Promise<{ taskID: number; taskUid: string; runID: number }> {
  const now = deps.clock.now()
  const taskUid = newUid(now)
  const { task_id: taskID } = await tx
    .insertInto('ota_task')
    .values({
      task_uid: taskUid,
      firmware_id: plan.firmwareID,
      product_id: productID,
      run_id: null,
      plan: JSON.stringify(plan),
      devices: JSON.stringify(deviceList),
      user_name: userName,
      created_at: now,
    })
    .returning('task_id')
    .executeTakeFirstOrThrow()
  const runID = await deps.rollouts.create(tx, {
    kind: 'ota',
    ownerID: taskID,
    productID,
    topic: otaTopic(taskUid),
    trigger: '',
    perMinute: plan.maximumPerMinute,
    retries: plan.retryCount,
    retryMs: plan.retryInterval * minuteMs,
    startAt: plan.scheduleTime === 0 ? now : plan.scheduleTime * 1000,
    ...(plan.scheduleFinishTime !== 0 && { endAt: plan.scheduleFinishTime * 1000 }),
    // The first review says how far the first stage goes.
    ...(plan.stages.length > 0 && { limitTo: 0 }),
    userName,
  })
  await tx.updateTable('ota_task').set({ run_id: runID }).where('task_id', '=', taskID).execute()
  return { taskID, taskUid, runID }
}

export async function createTask(deps: OtaDeps, input: OtaTaskInput, user: SignedInUser) {
  const { question } = await checkPlan(deps.db, input, deps.clock.now())
  const inline = (await countCandidates(deps.db, question)) <= mostInline
  const created = await deps.db.transaction().execute(async (tx) => {
    // Two dynamic tasks of one package wait for each other here, and a package that is being deleted is not taken.
    await tx
      .selectFrom('firmware')
      .select('firmware_id')
      .where('firmware_id', '=', input.firmwareID)
      .forUpdate()
      .executeTakeFirst()
    await checkPlan(tx, input, deps.clock.now())
    await refuseSecondDynamic(tx, input)
    const task = await insertTask(deps, tx, question, user.userName)
    if (inline) await prepareTask(deps, tx, task.taskID)
    return task
  })
  const { taskID, taskUid, runID } = created
  if (inline) deps.rollouts.nudge()
  else
    await startJob(deps.jobs, {
      kind: prepareKind,
      title: kept('准备升级任务 {taskUid}', { taskUid }),
      input: { taskID, runID },
      user,
    })
  return { taskID, taskUid }
}
