/** Binding is all or nothing and may be repeated; a sub-device speaks through one gateway at a time. */

import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import { AppError, errors, refusal } from '@ithings/contract/errors.ts'
import type {
  bindSubDevices as bindEndpoint,
  unbindSubDevices as unbindEndpoint,
} from '@ithings/contract/features/gateways.ts'
import { DeviceType } from '@ithings/contract/features/products.ts'
import { phrase } from '@ithings/contract/text.ts'
import { sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { announceDevices, findByKeys, requireDevices } from '#features/devices/door.ts'
import type { DeviceRef } from '#ports/event-bus.ts'
import { findGateway } from './find-gateway.ts'
import type { GatewaysDeps } from './gateways-deps.ts'

async function refuseBoundElsewhere(db: Db, gatewayID: number, ids: number[]): Promise<void> {
  const bound = await db
    .selectFrom('gateway_device')
    .innerJoin('device as child', 'child.device_id', 'gateway_device.device_id')
    .innerJoin('device as gateway', 'gateway.device_id', 'gateway_device.gateway_id')
    .select(['child.device_name as child', 'gateway.device_name as gateway'])
    .where('gateway_device.device_id', 'in', ids)
    .where('gateway_device.gateway_id', '<>', gatewayID)
    .executeTakeFirst()
  if (!bound) return
  throw refusal(errors.parameter, '子设备 {child} 已绑定到网关 {gateway}，请先解绑', {
    child: bound.child,
    gateway: bound.gateway,
  })
}

const toRef = ({ productID, deviceName, deviceID }: DeviceRef): DeviceRef => ({ productID, deviceName, deviceID })

/** The children's way to the platform has changed, and what the gateway may speak for. */
async function announceBinding(deps: GatewaysDeps, gateway: DeviceRef, children: DeviceRef[], bound: boolean) {
  await announceDevices(deps.signal, [gateway, ...children])
  deps.bus.emit('gateway.children', { gateway, bound, children })
}

export async function bindSubDevices(deps: GatewaysDeps, input: BodyOutput<typeof bindEndpoint>) {
  const bound = await deps.db.transaction().execute(async (db) => {
    const gateway = await findGateway(db, input)
    const found = await requireDevices(db, input.list)
    const stranger = found.find((one) => one.deviceType !== DeviceType.subDevice)
    if (stranger) throw new AppError(errors.parameter, { msg: phrase('网关只能绑定子设备类型'), field: 'list' })
    // In one order for everybody, so that two gateways that take the same children do not wait for each other.
    const ids = found.map((one) => one.deviceID).sort((a, b) => a - b)
    await sql`
      insert into gateway_device (gateway_id, device_id)
      select ${gateway.deviceID}, id from unnest(${ids}::bigint[]) as child (id) order by id
      on conflict do nothing`.execute(db)
    await refuseBoundElsewhere(db, gateway.deviceID, ids)
    return { gateway, children: found.map(toRef) }
  })
  await announceBinding(deps, bound.gateway, bound.children, true)
}

/** What is not bound to it stays as it is. */
export async function unbindSubDevices(deps: GatewaysDeps, input: BodyOutput<typeof unbindEndpoint>) {
  const gateway = await findGateway(deps.db, input)
  const { found } = await findByKeys(deps.db, input.list)
  if (found.length === 0) return
  const deleted = await deps.db
    .deleteFrom('gateway_device')
    .where('gateway_id', '=', gateway.deviceID)
    .where(
      'device_id',
      'in',
      found.map((one) => one.deviceID),
    )
    .returning('device_id')
    .execute()
  const gone = new Set(deleted.map((row) => row.device_id))
  const children = found.filter((one) => gone.has(one.deviceID)).map(toRef)
  if (children.length > 0) await announceBinding(deps, gateway, children, false)
}
