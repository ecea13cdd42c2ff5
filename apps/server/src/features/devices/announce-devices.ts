import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import type { Signal } from '#ports/signal.ts'

/** From here on one notice a product is cheaper for everybody than one a device. */
const manyDevices = 20

export async function announceDevices(signal: Signal, devices: DeviceKey[]): Promise<void> {
  const notices =
    devices.length <= manyDevices
      ? devices.map(({ productID, deviceName }) => ({ productID, deviceName }))
      : [...new Set(devices.map((device) => device.productID))].map((productID) => ({ productID, deviceName: '' }))
  for (const notice of notices) await signal.send('device.changed', notice)
}
