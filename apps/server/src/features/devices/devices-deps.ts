import type { Common } from '#common-deps.ts'
import type { JobsDeps } from '#features/jobs/door.ts'
import type { Gate } from '#http/route.ts'
import type { LatestValues } from '#ports/latest-values.ts'

/** What the operations on devices, gateways and groups need; made once in app/. */
export interface DevicesDeps extends Common<'db' | 'clock' | 'signal' | 'bus'> {
  jobs: JobsDeps
  latest: Pick<LatestValues, 'readMany'>
  allows: Gate['allows']
}
