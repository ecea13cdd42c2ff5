/**
 * Tasks whose time has come. The next moment of each stands in the database, and whoever moves it on, with the task
 * locked, begins the run in the same transaction: one of several servers does, and one that comes back finds what it
 * missed (once: late; cron: the next time only).
 */
import { AppError } from '@ithings/contract/errors.ts'
import { TaskSchedule } from '@ithings/contract/features/tasks.ts'
import { kept } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { nextTime } from './next-time.ts'
import { checkParts } from './read-plan.ts'
import { noteFailure, noteMissed, noteSkipped } from './skipped-run.ts'
import { follow, openRun, type StartedRun } from './start-run.ts'
import { findOpenRun, type TaskRow } from './store.ts'
import type { Person, TasksDeps } from './tasks-deps.ts'

const atOnce = 100
/** A cron moment that is older was missed while the platform was down. */
const punctualMs = 60_000
const disabled = 2
const expiredText = '有效期已结束'

const ownerOf = ({ user_id, user_name }: TaskRow): Person => ({ userID: user_id, userName: user_name })

/** The due one that nobody else is at. */
async function takeDue(db: Db, now: number): Promise<TaskRow | undefined> {
  return db
    .selectFrom('device_task')
    .selectAll()
    .where('next_run_at', '<=', now)
    .orderBy('next_run_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

async function moveOn(db: Db, task: TaskRow, now: number): Promise<void> {
  const cron = task.schedule === TaskSchedule.cron
  const next = cron ? nextTime(task.plan, now) : null
  await db
    .updateTable('device_task')
    .set({
      next_run_at: next,
      ...(cron && next === null ? { is_enable: disabled, reason: kept(expiredText) } : {}),
    })
    .where('task_id', '=', task.task_id)
    .execute()
}

/** It cannot work as it is (product, group or model changed): a cron would fail each time, so it rests. */
async function giveUp(db: Db, task: TaskRow, reason: string, now: number): Promise<void> {
  await noteFailure(db, task, reason, now)
  const rests = task.schedule === TaskSchedule.cron
  await db
    .updateTable('device_task')
    .set({ next_run_at: null, ...(rests ? { is_enable: disabled, reason } : {}) })
    .where('task_id', '=', task.task_id)
    .execute()
}

async function begin(deps: TasksDeps, db: Db, task: TaskRow, now: number): Promise<StartedRun | undefined> {
  const due = task.next_run_at ?? now
  if (task.schedule === TaskSchedule.cron && now - due > punctualMs) await noteMissed(db, task, due, now)
  else if (await findOpenRun(db, task.task_id)) await noteSkipped(db, task, now)
  else return openRun(deps, db, task, { trigger: 'timer', person: ownerOf(task) })
  return undefined
}

interface Taken {
  owner: Person
  started: StartedRun | undefined
}

/** @returns undefined: nothing is due */
async function runOne(deps: TasksDeps): Promise<Taken | undefined> {
  const now = deps.clock.now()
  return deps.db.transaction().execute(async (db) => {
    const task = await takeDue(db, now)
    if (!task) return undefined
    const owner = ownerOf(task)
    const fault = await checkParts({ ...deps, db }, task.plan).catch((error: unknown) => {
      if (error instanceof AppError) return error
      throw error
    })
    if (fault) {
      await giveUp(db, task, fault.kept(), now)
      return { owner, started: undefined }
    }
    const started = await begin(deps, db, task, now)
    await moveOn(db, task, now)
    return { owner, started }
  })
}

/** @returns the next known moment */
export async function runDue(deps: TasksDeps): Promise<number | undefined> {
  for (let ran = 0; ran < atOnce; ran += 1) {
    const one = await runOne(deps)
    if (!one) {
      const { rows } = await sql<{ at: number | null }>`
        select min(next_run_at) as at from device_task where next_run_at is not null`.execute(deps.db)
      return rows[0]?.at ?? undefined
    }
    if (one.started) await follow(deps, one.started, one.owner)
  }
  return deps.clock.now()
}
