/** The device that a command goes to, and whether it can be reached (device-protocol.md 6 "Proxying"). */

import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import { DeviceType } from '@ithings/contract/features/products.ts'
import { sql } from 'kysely'
import { runPrepared } from '#db/run-prepared.ts'
import type { Db } from '#db/schema.ts'
import { askedKeys, type DeviceRefRow, matchKeys, toDeviceRef, unknownDevice } from '#features/devices/door.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import type { CommandsDeps } from './commands-deps.ts'

interface Reachable extends DeviceKey {
  isOnline: boolean
}

export interface Target extends DeviceRef {
  deviceType: number
  /** As it is stored. */
  isOnline: boolean
  /** Of a bound sub-device. */
  gateway: Reachable | undefined
}

interface Row extends DeviceRefRow {
  device_type: number
  is_online: number
  gateway_product: string | null
  gateway_name: string | null
  gateway_online: number | null
}

const online = 1

const toTarget = (row: Row): Target => ({
  ...toDeviceRef(row),
  deviceType: row.device_type,
  isOnline: row.is_online === online,
  gateway:
    row.gateway_product === null || row.gateway_name === null
      ? undefined
      : {
          productID: row.gateway_product,
          deviceName: row.gateway_name,
          isOnline: row.gateway_online === online,
        },
})

/** In the order of the keys; a key that is given twice counts once. */
export async function findTargets(db: Db, keys: DeviceKey[]) {
  const { rows } = await runPrepared(
    db,
    sql<Row>`
    select d.device_id, d.product_id, d.device_name, p.device_type, d.is_online,
      g.product_id as gateway_product, g.device_name as gateway_name, g.is_online as gateway_online
    from ${askedKeys(keys)}
    join device d using (product_id, device_name)
    join product p using (product_id)
    left join gateway_device gd on gd.device_id = d.device_id
    left join device g on g.device_id = gd.gateway_id`,
  )
  return matchKeys(keys, rows.map(toTarget))
}

export async function findTarget(db: Db, key: DeviceKey): Promise<Target> {
  const { found } = await findTargets(db, [key])
  const [target] = found
  if (!target) throw unknownDevice(key)
  return target
}

/** A session on this server counts before the database knows of it. */
const isOnline = ({ broker }: Pick<CommandsDeps, 'broker'>, device: Reachable): boolean =>
  device.isOnline || broker.sessionOf(device.productID, device.deviceName) !== undefined

/** @returns why it cannot be reached: 100009 for a sub-device without a gateway, 2000003 when it or its gateway is away */
export function whyUnreachable(deps: Pick<CommandsDeps, 'broker'>, target: Target): AppError | undefined {
  const { deviceName, gateway } = target
  if (target.deviceType !== DeviceType.subDevice) {
    return isOnline(deps, target) ? undefined : new AppError(errors.notOnline, { detail: deviceName })
  }
  if (!gateway) return refusal(errors.notFound, '子设备未绑定网关')
  if (!isOnline(deps, gateway))
    return refusal(errors.notOnline, '网关 {deviceName}', { deviceName: gateway.deviceName })
  return isOnline(deps, target) ? undefined : refusal(errors.notOnline, '子设备 {deviceName}', { deviceName })
}
