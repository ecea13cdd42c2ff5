/** Jobs that a crash left unqueued are queued again; finished ones go after their time, with their files. */
import { dayMs } from '@ithings/contract/durations.ts'
import { JobStatus } from '@ithings/contract/features/jobs.ts'
import { defaultDeadlineSeconds } from './job-kinds.ts'
import type { JobsKit } from './jobs-kit.ts'

const keepDays = 30

/** A queued twin does no harm: only one of them can claim the row. */
export async function requeueLost(kit: JobsKit): Promise<void> {
  const lost = await kit.db
    .selectFrom('job')
    .select(['job_id', 'kind'])
    .where('status', '=', JobStatus.waiting)
    .execute()
  for (const row of lost) {
    const kind = kit.kinds.get(row.kind)
    await kit.queue.send(row.job_id, { deadlineSeconds: kind?.deadlineSeconds ?? defaultDeadlineSeconds })
  }
}

export async function dropOldJobs({ db, clock, files }: JobsKit): Promise<number> {
  const gone = await db
    .deleteFrom('job')
    .where('finished_at', '<', new Date(clock.now() - keepDays * dayMs))
    .returning('file_path')
    .execute()
  for (const row of gone) if (row.file_path) await files.remove(row.file_path)
  return gone.length
}
