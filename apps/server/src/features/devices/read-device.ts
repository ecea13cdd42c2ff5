import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { readDevice as readEndpoint } from '@ithings/contract/features/devices/info.ts'
import { readDeviceSecret } from '@ithings/contract/features/secrets.ts'
import { open, places } from '#db/sealed.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { findDevice, toDevice } from './device-rows.ts'
import type { DevicesDeps } from './devices-deps.ts'
import { readProperties } from './list-devices.ts'

/** With the secret for whoever may see it, because existing consoles show it; "" for all others. */
export async function readDevice(deps: DevicesDeps, input: BodyOutput<typeof readEndpoint>, { role }: SignedInUser) {
  const { db, latest } = deps
  const row = await findDevice(db, input)
  const propertiesOf = await readProperties(latest, [row.device_id], input.withProperties)
  const shown = input.withSecret && (await deps.allows(role, readDeviceSecret))
  const secret = shown ? open(db, places.device(row.product_id, row.device_name), row.secret) : ''
  return { ...toDevice(row, secret), ...propertiesOf(row.device_id) }
}
