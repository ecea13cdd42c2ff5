import { randomUUID } from 'node:crypto'
import type { JobKindName } from '@ithings/contract/features/jobs.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { defaultDeadlineSeconds } from './job-kinds.ts'
import type { JobsKit } from './jobs-kit.ts'

export interface NewJob {
  kind: JobKindName
  title: string
  input: object
  total?: number
  user: SignedInUser
}

/** Stored first, queued second: a crash between the two is found by `requeueLost` at the next start. */
export async function startJob(kit: JobsKit, job: NewJob): Promise<string> {
  const kind = kit.kinds.get(job.kind)
  if (!kind) throw new Error(`no such kind of job: ${job.kind}`)
  const deadlineSeconds = kind.deadlineSeconds ?? defaultDeadlineSeconds
  const jobID = randomUUID()
  await kit.db
    .insertInto('job')
    .values({
      job_id: jobID,
      kind: job.kind,
      title: job.title,
      total: job.total ?? 0,
      input: JSON.stringify(job.input),
      user_id: job.user.userID,
      user_name: job.user.userName,
      deadline_at: new Date(kit.clock.now() + deadlineSeconds * 1000),
      created_at: new Date(kit.clock.now()),
      finished_at: null,
    })
    .execute()
  await kit.queue.send(jobID, { deadlineSeconds })
  return jobID
}
