/** The address of a device (spec 2), and its name as a link to it. */
import { type ReactNode, useMemo } from 'react'
import { Link } from 'react-router'
import { Copyable } from '#kit/copyable.tsx'

interface Key {
  productID: string
  deviceName: string
}

/** Tab 1 is the device's information; `:` and `@` are allowed in names, so they are written safely. */
export const deviceDetailPath = ({ productID, deviceName }: Key, tab = 1): string =>
  `/deviceMangers/device/detail/${encodeURIComponent(productID)}/${encodeURIComponent(deviceName)}/${tab}`

export function DeviceLink({ device, children }: { device: Key; children?: ReactNode }) {
  const to = useMemo(() => deviceDetailPath(device), [device])
  return (
    <Copyable text={device.deviceName}>
      <Link to={to}>{children ?? device.deviceName}</Link>
    </Copyable>
  )
}
