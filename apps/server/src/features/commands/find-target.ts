/** The device that a command goes to, and whether it can be reached (device-protocol.md 6 "Proxying"). */
import { AppError, errors } from '@ithings/contract/errors.ts'
import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import { DeviceType } from '@ithings/contract/features/products/info.ts'
import { sql } from 'kysely'
import { unknownDevice } from '#db/device-keys.ts'
import type { Db } from '#db/schema.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import type { CommandsKit } from './commands-kit.ts'

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

interface Row {
  device_id: number
  product_id: string
  device_name: string
  device_type: number
  is_online: number
  gateway_product: string | null
  gateway_name: string | null
  gateway_online: number | null
}

const online = 1

const toTarget = (row: Row): Target => ({
  deviceID: row.device_id,
  productID: row.product_id,
  deviceName: row.device_name,
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
export async function findTargets(db: Db, keys: DeviceKey[]): Promise<{ found: Target[]; missing: DeviceKey[] }> {
  const { rows } = await sql<Row>`
    select d.device_id, d.product_id, d.device_name, p.device_type, d.is_online,
      g.product_id as gateway_product, g.device_name as gateway_name, g.is_online as gateway_online
    from unnest(${keys.map((key) => key.productID)}::text[], ${keys.map((key) => key.deviceName)}::text[])
      as asked (product_id, device_name)
    join device d using (product_id, device_name)
    join product p using (product_id)
    left join gateway_device gd on gd.device_id = d.device_id
    left join device g on g.device_id = gd.gateway_id`.execute(db)
  const spell = (productID: string, deviceName: string) => `${productID}/${deviceName}`
  const known = new Map(rows.map((row) => [spell(row.product_id, row.device_name), toTarget(row)]))
  const asked = new Map(keys.map((key) => [spell(key.productID, key.deviceName), key]))
  const found = [...asked.keys()].flatMap((name) => known.get(name) ?? [])
  const missing = [...asked].flatMap(([name, key]) => (known.has(name) ? [] : [key]))
  return { found, missing }
}

export async function findTarget(db: Db, key: DeviceKey): Promise<Target> {
  const { found } = await findTargets(db, [key])
  const [target] = found
  if (!target) throw unknownDevice(key)
  return target
}

/** A session on this server counts before the database knows of it. */
const isOnline = ({ broker }: Pick<CommandsKit, 'broker'>, device: Reachable): boolean =>
  device.isOnline || broker.sessionOf(device.productID, device.deviceName) !== undefined

/** @returns why it cannot be reached: 100009 for a sub-device without a gateway, 2000003 when it or its gateway is away */
export function whyUnreachable(kit: Pick<CommandsKit, 'broker'>, target: Target): AppError | undefined {
  const { deviceName, gateway } = target
  if (target.deviceType !== DeviceType.subDevice) {
    return isOnline(kit, target) ? undefined : new AppError(errors.notOnline, { detail: deviceName })
  }
  if (!gateway) return new AppError(errors.notFound, { detail: '子设备未绑定网关' })
  if (!isOnline(kit, gateway)) return new AppError(errors.notOnline, { detail: `网关 ${gateway.deviceName}` })
  return isOnline(kit, target) ? undefined : new AppError(errors.notOnline, { detail: `子设备 ${deviceName}` })
}
