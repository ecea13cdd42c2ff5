import * as contract from '@ithings/contract/features/jobs.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import type { JobsKit } from './jobs-kit.ts'
import { cancelJob, listJobs, readJob, retryJob } from './manage-jobs.ts'

export const jobsRoutes = (kit: JobsKit): MountedEndpoint[] => [
  on(contract.listJobs, (input) => listJobs(kit.db, input)),
  on(contract.readJob, (input, ctx) => readJob(kit, input, ctx.user)),
  on(contract.cancelJob, (input, ctx) => cancelJob(kit, input, ctx.user)),
  on(contract.retryJob, (input, ctx) => retryJob(kit, input, ctx.user)),
]
