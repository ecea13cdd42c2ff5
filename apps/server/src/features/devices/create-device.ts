import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { createDevice as createEndpoint } from '@ithings/contract/features/devices/info.ts'
import { makeSecret } from '#db/secrets.ts'
import type { DevicesDeps } from './devices-deps.ts'
import { insertDevice } from './new-device.ts'
import { deviceChanges } from './update-device.ts'

export async function createDevice({ db, signal }: DevicesDeps, input: BodyOutput<typeof createEndpoint>) {
  const { productID, deviceName, ...fields } = input
  await insertDevice(db, {
    ...deviceChanges(fields),
    product_id: productID,
    device_name: deviceName,
    secret: makeSecret(),
  })
  // Somebody may remember that it does not exist.
  await signal.send('device.changed', { productID, deviceName })
}
