import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { listSubDevices as listEndpoint } from '@ithings/contract/features/gateways.ts'
import { asked, fetchPage } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import { toDevice } from '#features/devices/door.ts'
import { findGateway } from './find-gateway.ts'

const columns = {
  deviceName: 'device.device_name',
  productID: 'device.product_id',
  createdTime: 'device.created_at',
  firstLogin: 'device.first_login',
  lastLogin: 'device.last_login',
  isOnline: 'device.is_online',
} as const

export async function listSubDevices(db: Db, input: BodyOutput<typeof listEndpoint>) {
  const gateway = await findGateway(db, input)
  const filtered = db
    .selectFrom('gateway_device')
    .innerJoin('device', 'device.device_id', 'gateway_device.device_id')
    .innerJoin('product', 'product.product_id', 'device.product_id')
    .where('gateway_device.gateway_id', '=', gateway.deviceID)
    .where((eb) => asked(eb, { contains: { 'device.device_name': input.deviceName } }))
  const page = await fetchPage(
    filtered,
    (q) => q.selectAll('device').select(['product.product_name', 'product.device_type']),
    input.page,
    { columns, fallback: { column: 'device.device_id', desc: false } },
  )
  return { list: page.list.map((row) => toDevice(row)), total: page.total }
}

/** All of them, for what gateways ask over MQTT. */
export async function subDevicesOf(db: Db, gatewayID: number) {
  const rows = await db
    .selectFrom('gateway_device')
    .innerJoin('device', 'device.device_id', 'gateway_device.device_id')
    .select(['device.device_id', 'device.product_id', 'device.device_name'])
    .where('gateway_device.gateway_id', '=', gatewayID)
    .orderBy('device.device_id')
    .execute()
  return rows.map((row) => ({ productID: row.product_id, deviceName: row.device_name, deviceID: row.device_id }))
}
