import type { JobKind } from '#features/jobs/door.ts'
import { exportJob } from './export-devices.ts'
import type { OtaDeps } from './ota-deps.ts'
import { prepareJob } from './prepare-task.ts'

export const otaJobKinds = (deps: OtaDeps): JobKind[] => [prepareJob(deps), exportJob(deps)]
