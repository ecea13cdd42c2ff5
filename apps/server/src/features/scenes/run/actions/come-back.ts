import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import type { Clock } from '#ports/clock.ts'
import type { EventBus } from '#ports/event-bus.ts'

/** Resolves when the device is there, or when the time has come. */
export function waitForDevice(
  { bus, clock }: { bus: EventBus; clock: Clock },
  { productID, deviceName }: DeviceKey,
  until: number,
): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      clearTimeout(timer)
      end()
      resolve()
    }
    const end = bus.on('device.presence', ({ device, online }) => {
      if (online && device.deviceName === deviceName && device.productID === productID) finish()
    })
    const timer = setTimeout(finish, Math.max(0, until - clock.now()))
  })
}
