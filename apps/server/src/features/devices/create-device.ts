import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { createDevice as createEndpoint } from '@ithings/contract/features/devices/info.ts'
import { insertDevice } from '#db/new-device.ts'
import { makeSecret } from '#db/secrets.ts'
import type { DevicesKit } from './devices-kit.ts'
import { deviceChanges } from './store.ts'

export async function createDevice({ db, signal }: DevicesKit, input: BodyOutput<typeof createEndpoint>) {
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
