import { randomUUID } from 'node:crypto'
import type { JobKindName } from '@ithings/contract/features/jobs.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { defaultDeadlineSeconds } from './job-kinds.ts'
import type { JobsDeps } from './jobs-deps.ts'

export interface NewJob {
  kind: JobKindName
  title: string
  input: object
  total?: number
  user: SignedInUser
}

/** The row is all there is of it: begun at once on this server, or by whichever looks first. */
export async function startJob(deps: JobsDeps, job: NewJob): Promise<string> {
  const kind = deps.kinds.get(job.kind)
  if (!kind) throw new Error(`no such kind of job: ${job.kind}`)
  const jobID = randomUUID()
  await deps.db
    .insertInto('job')
    .values({
      job_id: jobID,
      kind: job.kind,
      title: job.title,
      total: job.total ?? 0,
      input: JSON.stringify(job.input),
      user_id: job.user.userID,
      user_name: job.user.userName,
      language: job.user.language,
      deadline_at: new Date(deps.clock.now() + (kind.deadlineSeconds ?? defaultDeadlineSeconds) * 1000),
      created_at: new Date(deps.clock.now()),
      finished_at: null,
    })
    .execute()
  deps.bell.ring()
  return jobID
}
