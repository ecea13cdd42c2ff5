import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { updateDevice as updateEndpoint } from '@ithings/contract/features/devices/info.ts'
import { sql } from 'kysely'
import { unknownDevice } from '#db/device-keys.ts'
import { refuseStaleEdit } from '#db/stale-edit.ts'
import type { DevicesKit } from './devices-kit.ts'
import { deviceChanges } from './store.ts'

export async function updateDevice(kit: DevicesKit, input: BodyOutput<typeof updateEndpoint>) {
  const { productID, deviceName, rev, ...fields } = input
  await kit.db.transaction().execute(async (db) => {
    const device = await db
      .selectFrom('device')
      .select(['device_id', 'rev'])
      .where('product_id', '=', productID)
      .where('device_name', '=', deviceName)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!device) throw unknownDevice(input)
    refuseStaleEdit(rev, device.rev)
    await db
      .updateTable('device')
      .set({ ...deviceChanges(fields), rev: sql`rev + 1` })
      .where('device_id', '=', device.device_id)
      .execute()
  })
  await kit.signal.send('device.changed', { productID, deviceName })
  const { logLevel } = fields
  if (logLevel !== undefined) kit.bus.emit('device.logLevel', { devices: [{ productID, deviceName }], logLevel })
}
