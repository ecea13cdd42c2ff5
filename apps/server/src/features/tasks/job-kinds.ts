import type { JobKind } from '#features/jobs/door.ts'
import { exportJob } from './export-results.ts'
import { prepareJob } from './prepare-run.ts'
import type { TasksDeps } from './tasks-deps.ts'

export const taskJobKinds = (deps: TasksDeps): JobKind[] => [prepareJob(deps), exportJob(deps)]
