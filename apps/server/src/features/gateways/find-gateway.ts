import { AppError, errors } from '@ithings/contract/errors.ts'
import type { DeviceKey } from '@ithings/contract/features/devices/info.ts'
import { DeviceType } from '@ithings/contract/features/products.ts'
import { phrase } from '@ithings/contract/text.ts'
import type { Db } from '#db/schema.ts'
import { requireDevice } from '#features/devices/door.ts'

export interface GatewayName {
  gateWayProductID: string
  gateWaydeviceName: string
}

export async function findGateway(db: Db, name: GatewayName): Promise<DeviceKey & { deviceID: number }> {
  const { gateWayProductID: productID, gateWaydeviceName: deviceName } = name
  const gateway = await requireDevice(db, { productID, deviceName })
  if (gateway.deviceType !== DeviceType.gateway) {
    throw new AppError(errors.parameter, { msg: phrase('子设备只能由网关设备进行绑定'), field: 'gateWaydeviceName' })
  }
  return gateway
}
