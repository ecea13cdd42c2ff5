import type { JobKind } from '#features/jobs/door.ts'
import { updateWork } from './bulk-edit.ts'
import { deleteWork } from './delete-device.ts'
import type { DevicesKit } from './devices-kit.ts'
import { exportJob } from './export-devices.ts'
import { filteredJob } from './filtered-work.ts'
import { multiCreateJob } from './multi-create.ts'
import { simulateWork } from './simulate-devices.ts'

export const deviceJobKinds = (kit: DevicesKit): JobKind[] => [
  multiCreateJob(kit),
  exportJob(kit),
  filteredJob(kit, updateWork),
  filteredJob(kit, deleteWork),
  filteredJob(kit, simulateWork),
]
