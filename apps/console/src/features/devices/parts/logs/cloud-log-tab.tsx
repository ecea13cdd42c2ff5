import type { Device } from '@ithings/contract/features/devices/info.ts'
import { useMemo } from 'react'
import { CloudLogs } from '#blocks/log-table/cloud-logs.tsx'

/** screens.md 6.6: what was said, comings and goings, what was allowed. */
export function CloudLogTab({ device: { productID, deviceName } }: { device: Device }) {
  const scope = useMemo(() => ({ productID, deviceNames: [deviceName] }), [productID, deviceName])
  return <CloudLogs scope={scope} />
}
