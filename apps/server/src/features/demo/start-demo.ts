/** Loading and removing are jobs; here it is decided whether one may begin. */
import { AppError, errors } from '@ithings/contract/errors.ts'
import { startJob } from '#features/jobs/door.ts'
import type { SignedInUser } from '#http/request-context.ts'
import type { DemoKit } from './demo-kit.ts'
import { loadKind, removeKind } from './job-names.ts'
import { findDemo, isEmpty } from './read-demo.ts'

const refused = (detail: string) => new AppError(errors.parameter, { detail })

export async function startLoading(kit: DemoKit, user: SignedInUser): Promise<{ jobID: string }> {
  const { db } = kit
  if (await findDemo(db)) throw refused('演示数据已经在平台上了')
  if (!(await isEmpty(db))) throw refused('平台上已有产品，演示数据只能加载到空平台')
  // One row: of two who ask at the same moment the database takes one.
  const taken = await db
    .insertInto('demo')
    .values({ id: 1 })
    .onConflict((on) => on.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!taken) throw refused('演示数据已经在平台上了')
  const jobID = await startJob(kit.jobs, { kind: loadKind, title: '加载演示数据', input: {}, user })
  await db.updateTable('demo').set({ job_id: jobID }).where('job_id', '=', '').execute()
  return { jobID }
}

/** Also for what a loading left that did not come to its end. */
export async function beginRemoving(kit: DemoKit, user: SignedInUser): Promise<{ jobID: string }> {
  const jobID = await startJob(kit.jobs, { kind: removeKind, title: '移除演示数据', input: {}, user })
  await kit.db.updateTable('demo').set({ job_id: jobID, removing: true }).execute()
  return { jobID }
}

export async function startRemoving(kit: DemoKit, user: SignedInUser): Promise<{ jobID: string }> {
  const demo = await findDemo(kit.db)
  if (!demo) throw refused('平台上没有演示数据')
  if (demo.openJob !== '' && demo.removing) return { jobID: demo.openJob }
  if (demo.openJob !== '') throw refused('演示数据正在加载，请等待完成，或在后台任务中取消')
  return beginRemoving(kit, user)
}
