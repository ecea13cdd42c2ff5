import type { JobKind } from '#features/jobs/door.ts'
import type { DevicesKit } from './devices-kit.ts'
import { exportJob } from './export-devices.ts'
import { multiCreateJob } from './multi-create.ts'

export const deviceJobKinds = (kit: DevicesKit): JobKind[] => [multiCreateJob(kit), exportJob(kit)]
