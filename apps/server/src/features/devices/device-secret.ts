import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { readDeviceSecret as read, rotateDeviceSecret as rotate } from '@ithings/contract/features/secrets.ts'
import { open, places } from '#db/sealed.ts'
import { oldValidUntil, rotation } from '#db/secrets.ts'
import { unknownDevice } from './device-keys.ts'
import { findDevice } from './device-rows.ts'
import type { DevicesDeps } from './devices-deps.ts'

export async function readDeviceSecret({ db, clock }: DevicesDeps, input: BodyOutput<typeof read>) {
  const { secret, old_secret_until: until } = await findDevice(db, input)
  const place = places.device(input.productID, input.deviceName)
  return { secret: open(db, place, secret), oldValidUntil: oldValidUntil(until, clock.now()) }
}

/** Connections that were made with a secret that is void now are ended by the notice (uplink/expel.ts). */
export async function rotateDeviceSecret({ db, clock, signal }: DevicesDeps, input: BodyOutput<typeof rotate>) {
  const { productID, deviceName, graceSeconds } = input
  const now = clock.now()
  const columns = rotation(db, places.device(productID, deviceName), graceSeconds, now)
  const { numUpdatedRows } = await db
    .updateTable('device')
    .set(columns)
    .where('product_id', '=', productID)
    .where('device_name', '=', deviceName)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw unknownDevice(input)
  await signal.send('device.changed', { productID, deviceName })
  return { oldValidUntil: oldValidUntil(columns.old_secret_until, now) }
}
