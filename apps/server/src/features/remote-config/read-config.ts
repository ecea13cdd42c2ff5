import { kept } from '@ithings/contract/text.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import type { RemoteConfigDeps } from './remote-config-deps.ts'
import { findLatest, noteDelivered } from './store.ts'

/** `$config/up/get` (device-protocol.md 7). Asking is getting: pushes that wait for the device are delivered by it. */
export async function readConfigOf(deps: RemoteConfigDeps, device: DeviceRef): Promise<string | undefined> {
  // Before the version: what is open now wants none that is newer.
  const open = await deps.rollouts.openRows('config', device.deviceID)
  const version = await findLatest(deps.db, device.productID)
  if (!version) return undefined
  await noteDelivered(deps.db, { deviceID: device.deviceID, configID: version.id, at: deps.clock.now() })
  for (const row of open) {
    await deps.rollouts.settle(row, { result: 'success', code: 200, msg: kept('设备主动获取') })
  }
  return version.content
}
