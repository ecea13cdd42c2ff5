import * as contract from '@ithings/contract/features/jobs.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import type { JobsDeps } from './jobs-deps.ts'
import { startListExport } from './list-export/export-list.ts'
import { cancelJob, listJobs, readJob, retryJob } from './manage-jobs.ts'

export const jobsRoutes = (deps: JobsDeps): MountedEndpoint[] => [
  on(contract.listJobs, (input) => listJobs(deps.db, input)),
  on(contract.readJob, (input, ctx) => readJob(deps, input, ctx.user)),
  on(contract.cancelJob, (input, ctx) => cancelJob(deps, input, ctx.user)),
  on(contract.exportList, (input, ctx) => startListExport(deps, input, ctx.user)),
  on(contract.retryJob, (input, ctx) => retryJob(deps, input, ctx.user)),
]
