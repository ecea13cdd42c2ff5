import type { JobKind } from '#features/jobs/door.ts'
import { exportJob } from './export-results.ts'
import { prepareJob } from './prepare-run.ts'
import type { TasksKit } from './tasks-kit.ts'

export const taskJobKinds = (kit: TasksKit): JobKind[] => [prepareJob(kit), exportJob(kit)]
