/** Loading and removing are jobs; here it is decided whether one may begin, and which of them has the say. */

import { AppError, errors } from '@ithings/contract/errors.ts'
import { kept, type Phrase, phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { startJob } from '#features/jobs/door.ts'
import type { SignedInUser } from '#http/request-context.ts'
import type { DemoDeps } from './demo-deps.ts'
import { loadKind, removeKind } from './job-names.ts'
import { findDemo, isEmpty } from './read-demo.ts'

const refused = (detail: Phrase) => new AppError(errors.parameter, { detail })
const isThere = () => refused(phrase('演示数据已经在平台上了'))

/** The mark of a loading that was cancelled before it began: nobody removes it, and nothing belongs to it. */
const dropEmptyMark = (db: Db) =>
  sql`
    delete from demo where not complete and job_id <> '' and not exists (select from demo_item)
      and not exists (select from job where job.job_id = demo.job_id and status in (1, 2))`.execute(db)

/** One row: of two who ask at the same moment the database takes one. */
async function takeMark(db: Db, jobID: string): Promise<void> {
  if (!(await isEmpty(db))) throw refused(phrase('平台上已有产品，演示数据只能加载到空平台'))
  const taken = await db
    .insertInto('demo')
    .values({ id: 1, job_id: jobID })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!taken) throw isThere()
}

export async function startLoading(deps: DemoDeps, user: SignedInUser): Promise<{ jobID: string }> {
  const { db } = deps
  await dropEmptyMark(db)
  if (await findDemo(db)) throw isThere()
  await takeMark(db, '')
  const jobID = await startJob(deps.jobs, { kind: loadKind, title: kept('加载演示数据'), input: {}, user })
  await db.updateTable('demo').set({ job_id: jobID }).where('job_id', '=', '').execute()
  return { jobID }
}

/** At the beginning of the job itself: people can try a job again long after its end. */
export async function claimLoading(db: Db, jobID: string): Promise<void> {
  await dropEmptyMark(db)
  const mark = await db.selectFrom('demo').select('job_id').executeTakeFirst()
  if (!mark) await takeMark(db, jobID)
  else if (mark.job_id === '') await db.updateTable('demo').set({ job_id: jobID }).where('job_id', '=', '').execute()
  else if (mark.job_id !== jobID) throw isThere()
}

const unwanted = () => refused(phrase('加载期间要求移除演示数据，已停止加载'))

/** Within the loading, before each step: somebody may have asked for its removal meanwhile (stopLoading). */
export async function refuseUnwanted(db: Db): Promise<void> {
  if ((await findDemo(db))?.removing) throw unwanted()
}

/** @returns whether there is anything to remove */
export async function claimRemoving(db: Db, jobID: string): Promise<boolean> {
  const demo = await findDemo(db)
  if (!demo) return false
  if (demo.openJob !== '' && demo.openJob !== jobID && !demo.removing) throw refused(phrase('演示数据正在加载'))
  await db.updateTable('demo').set({ job_id: jobID, removing: true }).execute()
  return true
}

/** Also for what a loading left that did not come to its end. */
export async function beginRemoving(
  deps: DemoDeps,
  user: SignedInUser,
  title = kept('移除演示数据'),
): Promise<{ jobID: string }> {
  await deps.db.updateTable('demo').set({ removing: true }).execute()
  const jobID = await startJob(deps.jobs, { kind: removeKind, title, input: {}, user })
  await deps.db.updateTable('demo').set({ job_id: jobID }).execute()
  return { jobID }
}

/**
 * Wherever the loading runs, or goes on after a crash: at its next step it ends, and removes what is there.
 * @returns whether one is open
 */
export async function stopLoading(db: Db): Promise<boolean> {
  const demo = await findDemo(db)
  if (!demo || demo.openJob === '' || demo.removing) return false
  await db.updateTable('demo').set({ removing: true }).where('job_id', '=', demo.openJob).execute()
  // It may have come to its end just now.
  if ((await findDemo(db))?.openJob !== '') return true
  await db.updateTable('demo').set({ removing: false }).execute()
  return false
}

export async function startRemoving(deps: DemoDeps, user: SignedInUser): Promise<{ jobID: string }> {
  const demo = await findDemo(deps.db)
  if (!demo) throw refused(phrase('平台上没有演示数据'))
  if (demo.openJob !== '' && demo.removing) return { jobID: demo.openJob }
  if (demo.openJob !== '') throw refused(phrase('演示数据正在加载，请等待完成，或在后台任务中取消'))
  return beginRemoving(deps, user)
}
