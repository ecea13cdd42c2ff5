import type { JobKind } from '#features/jobs/door.ts'
import { updateWork } from './bulk-edit.ts'
import { deleteWork } from './delete-device.ts'
import type { DevicesDeps } from './devices-deps.ts'
import { exportJob } from './export-devices.ts'
import { filteredJob } from './filtered-work.ts'
import { multiCreateJob } from './multi-create.ts'
import { simulateWork } from './simulate-devices.ts'

export const deviceJobKinds = (deps: DevicesDeps): JobKind[] => [
  multiCreateJob(deps),
  exportJob(deps),
  filteredJob(deps, updateWork),
  filteredJob(deps, deleteWork),
  filteredJob(deps, simulateWork),
]
