import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { readDevice as readEndpoint } from '@ithings/contract/features/devices/info.ts'
import { toDevice } from '#db/device-rows.ts'
import type { DevicesKit } from './devices-kit.ts'
import { findDevice } from './store.ts'
import { readProperties } from './with-properties.ts'

export async function readDevice({ db, latest }: DevicesKit, input: BodyOutput<typeof readEndpoint>) {
  const row = await findDevice(db, input)
  const propertiesOf = await readProperties(latest, [row.device_id], input.withProperties)
  return { ...toDevice(row, { secret: true }), ...propertiesOf(row.device_id) }
}
