/** Finished jobs go after their time, with their files. */
import { dayMs } from '@ithings/contract/durations.ts'
import type { JobsDeps } from './jobs-deps.ts'

const keepDays = 30

export async function dropOldJobs({ db, clock, files }: JobsDeps): Promise<number> {
  const gone = await db
    .deleteFrom('job')
    .where('finished_at', '<', new Date(clock.now() - keepDays * dayMs))
    .returning('file_path')
    .execute()
  for (const row of gone) if (row.file_path) await files.remove(row.file_path)
  return gone.length
}
