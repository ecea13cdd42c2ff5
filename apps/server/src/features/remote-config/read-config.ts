import type { DeviceRef } from '#ports/event-bus.ts'
import type { RemoteConfigKit } from './remote-config-kit.ts'
import { findLatest, noteDelivered } from './store.ts'

/** `$config/up/get` (device-protocol.md 7). Asking is getting: pushes that wait for the device are delivered by it. */
export async function readConfigOf(kit: RemoteConfigKit, device: DeviceRef): Promise<string | undefined> {
  // Before the version: what is open now wants none that is newer.
  const open = await kit.rollouts.openRows('config', device.deviceID)
  const version = await findLatest(kit.db, device.productID)
  if (!version) return undefined
  await noteDelivered(kit.db, { deviceID: device.deviceID, configID: version.id, at: kit.clock.now() })
  for (const row of open) {
    await kit.rollouts.settle(row, { result: 'success', code: 200, msg: '设备主动获取' })
  }
  return version.content
}
