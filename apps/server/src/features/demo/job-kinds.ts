import { AppError, errors } from '@ithings/contract/errors.ts'
import type { JobContext, JobKind } from '#features/jobs/door.ts'
import type { SignedInUser } from '#http/request-context.ts'
import type { DemoKit } from './demo-kit.ts'
import { loadKind, removeKind } from './job-names.ts'
import { loadFleet } from './load-fleet.ts'
import { removeFleet } from './remove-fleet.ts'
import { beginRemoving, claimLoading, claimRemoving, refuseUnwanted } from './start-demo.ts'

const deadlineSeconds = 900

const userOf = ({ userID, userName }: JobContext<object>): SignedInUser => ({ userID, userName, role: 1, sid: '' })

async function isCancelled({ db }: DemoKit, jobID: string): Promise<boolean> {
  const row = await db.selectFrom('job').select('cancel_requested').where('job_id', '=', jobID).executeTakeFirst()
  return row?.cancel_requested === true
}

/** Cancelled or out of time; otherwise this server stops, and another try follows. */
async function isOver(kit: DemoKit, { jobID, signal }: JobContext<object>): Promise<boolean> {
  if (!signal.aborted || signal.reason instanceof AppError) return true
  return isCancelled(kit, jobID)
}

/** Half a demo is no demo: whatever ends the loading takes away what is there. A server that stops does it again. */
async function load(kit: DemoKit, context: JobContext<object>): Promise<object> {
  const { jobID, signal } = context
  await claimLoading(kit.db, jobID)
  const progress: typeof context.progress = async (done, total) => {
    await context.progress(done, total)
    await refuseUnwanted(kit.db)
  }
  try {
    await refuseUnwanted(kit.db)
    // A try before this one may have been cut off anywhere.
    await removeFleet(kit, { signal, keepsMark: true })
    return await loadFleet({ kit, user: userOf(context), now: kit.clock.now() }, progress)
  } catch (error) {
    if (!(await isOver(kit, context))) throw error
    await beginRemoving(kit, userOf(context))
    if (signal.aborted) throw error
    kit.log.error({ err: error }, 'the demo fleet could not be loaded')
    throw error instanceof AppError ? error : new AppError(errors.system, { detail: String(error), cause: error })
  }
}

/**
 * Nothing has happened before the first step; later the fleet is silent and partly gone, and a fleet of disabled devices
 * is of no use to anybody: another job goes on to the end.
 */
async function remove(kit: DemoKit, context: JobContext<object>): Promise<undefined> {
  const { jobID, signal } = context
  if (!(await claimRemoving(kit.db, jobID))) return
  let begun = false
  const progress: typeof context.progress = async (done, total) => {
    await context.progress(done, total)
    begun = true
  }
  try {
    await removeFleet(kit, { signal, progress })
  } catch (error) {
    if (begun && (await isCancelled(kit, jobID))) await beginRemoving(kit, userOf(context), '继续移除演示数据')
    throw error
  }
}

export const demoJobKinds = (kit: DemoKit): JobKind[] => [
  { kind: loadKind, deadlineSeconds, run: (context) => load(kit, context) },
  { kind: removeKind, deadlineSeconds, run: (context) => remove(kit, context) },
]
