import { AppError, errors } from '@ithings/contract/errors.ts'
import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import { DeviceType } from '@ithings/contract/features/products/info.ts'
import { findByKeys, refuseMissing } from '#db/device-keys.ts'
import type { Db } from '#db/schema.ts'

export interface GatewayName {
  gateWayProductID: string
  gateWaydeviceName: string
}

const gatewayKey = ({ gateWayProductID, gateWaydeviceName }: GatewayName): DeviceKey => ({
  productID: gateWayProductID,
  deviceName: gateWaydeviceName,
})

export async function findGateway(db: Db, name: GatewayName): Promise<DeviceKey & { deviceID: number }> {
  const { found, missing } = await findByKeys(db, [gatewayKey(name)])
  refuseMissing(missing)
  const [gateway] = found
  if (!gateway || gateway.deviceType !== DeviceType.gateway) {
    throw new AppError(errors.parameter, { msg: '子设备只能由网关设备进行绑定', field: 'gateWaydeviceName' })
  }
  return gateway
}
