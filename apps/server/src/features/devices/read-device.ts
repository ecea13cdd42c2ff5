import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { readDevice as readEndpoint } from '@ithings/contract/features/devices/info.ts'
import { toDevice } from '#db/device-rows.ts'
import type { Db } from '#db/schema.ts'
import { findDevice } from './store.ts'
import { propertiesOf } from './with-properties.ts'

export async function readDevice(db: Db, input: BodyOutput<typeof readEndpoint>) {
  return { ...toDevice(await findDevice(db, input), { secret: true }), ...propertiesOf(input.withProperties) }
}
