import * as contract from '@ithings/contract/features/logs.ts'
import type { Db } from '#db/schema.ts'
import type { JobsDeps } from '#features/jobs/door.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { startExport } from './export-operation-logs.ts'
import { listLoginLogs } from './list-login-logs.ts'
import { listOperationLogs } from './list-operation-logs.ts'

export const logsRoutes = (db: Db, jobs: JobsDeps): MountedEndpoint[] => [
  on(contract.listLoginLogs, (input) => listLoginLogs(db, input)),
  on(contract.listOperationLogs, (input) => listOperationLogs(db, input)),
  on(contract.exportOperationLogs, (input, ctx) => startExport(jobs, input, ctx.user)),
]
