/** One version to one device: `$config/down/push` (device-protocol.md 7). */

import { randomBytes } from 'node:crypto'
import { successText } from '@ithings/contract/device/messages.ts'
import { errors, refusal } from '@ithings/contract/errors.ts'
import { sendToDevice } from '#downlink/send.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import type { RemoteConfigDeps } from './remote-config-deps.ts'
import { noteDelivered, requireVersion, unknownProduct, type VersionRow } from './store.ts'

type Delivery = { delivered: true; configID: number } | { delivered: false }

/** A session on this server counts before the database knows of it. */
async function isOnline({ db, broker }: RemoteConfigDeps, device: DeviceRef): Promise<boolean> {
  const row = await db
    .selectFrom('device')
    .select('is_online')
    .where('device_id', '=', device.deviceID)
    .executeTakeFirst()
  if (!row) throw refusal(errors.notFound, '设备 {deviceName} 已被删除', { deviceName: device.deviceName })
  return row.is_online === 1 || broker.sessionOf(device.productID, device.deviceName) !== undefined
}

/** The hub log tells which version was sent; a fleet's worth of 64 KB texts would drown it. */
const mostLogged = 2_048
const forLog = ({ id, content }: VersionRow): Record<string, unknown> => ({
  configID: id,
  payload: content.length <= mostLogged ? content : `${content.slice(0, mostLogged)}…`,
})

/** To a device that is known to be online. */
export async function sendVersion(deps: RemoteConfigDeps, device: DeviceRef, version: VersionRow): Promise<void> {
  const product = await deps.products.get(device.productID)
  if (!product) throw unknownProduct(device.productID)
  // Older devices know neither code nor msg and ignore them.
  const said = { code: 200, msg: successText, status: successText }
  await sendToDevice(deps, {
    device,
    product,
    head: 'config',
    type: 'push',
    message: { method: 'push', token: randomBytes(16).toString('hex'), body: { ...said, payload: version.content } },
    logged: { ...said, ...forLog(version) },
  })
}

/** False: it is offline. */
export async function publishVersion(deps: RemoteConfigDeps, device: DeviceRef, version: VersionRow): Promise<boolean> {
  if (!(await isOnline(deps, device))) return false
  await sendVersion(deps, device, version)
  return true
}

/**
 * For device tasks: the version (undefined or 0: the newest) to one device. Not delivered: it is offline.
 * Throws when there is no such version, the device is gone or the product's script fails.
 */
export async function sendConfigTo(deps: RemoteConfigDeps, device: DeviceRef, configID?: number): Promise<Delivery> {
  const version = await requireVersion(deps.db, device.productID, configID)
  const at = deps.clock.now()
  if (!(await publishVersion(deps, device, version))) return { delivered: false }
  await noteDelivered(deps.db, { deviceID: device.deviceID, configID: version.id, at })
  return { delivered: true, configID: version.id }
}
