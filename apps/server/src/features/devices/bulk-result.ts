import type { AppError } from '@ithings/contract/errors.ts'
import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'

/** What became of each of many: failures are named, successes counted. */
export const bulkResult = (success: number, failed: ReadonlyArray<readonly [DeviceKey, AppError]>) => ({
  total: success + failed.length,
  success,
  failed: failed.map(([{ productID, deviceName }, error]) => ({
    productID,
    deviceName,
    code: error.code,
    msg: error.kept(),
  })),
})
