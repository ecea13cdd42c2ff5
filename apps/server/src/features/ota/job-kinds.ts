import type { JobKind } from '#features/jobs/door.ts'
import { exportJob } from './export-devices.ts'
import type { OtaKit } from './ota-kit.ts'
import { prepareJob } from './prepare-task.ts'

export const otaJobKinds = (kit: OtaKit): JobKind[] => [prepareJob(kit), exportJob(kit)]
