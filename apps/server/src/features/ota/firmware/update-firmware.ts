import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { updateFirmware as endpoint } from '@ithings/contract/features/ota/firmware.ts'
import { sql } from 'kysely'
import { refuseStaleEdit } from '#db/stale-edit.ts'
import type { FirmwareDeps } from './firmware-deps.ts'
import { lockFirmware } from './store.ts'

/** http-api.md 7: name, desc and extData only; devices hold on to the rest. */
export async function updateFirmware({ db: pool }: FirmwareDeps, input: BodyOutput<typeof endpoint>): Promise<void> {
  const { firmwareID, name, desc, extData, rev } = input
  await pool.transaction().execute(async (db) => {
    const row = await lockFirmware(db, firmwareID)
    refuseStaleEdit(rev, row.rev)
    await db
      .updateTable('firmware')
      .set({
        ...(name === undefined ? {} : { name }),
        ...(typeof desc === 'string' ? { description: desc } : {}),
        ...(typeof extData === 'string' ? { ext_data: extData } : {}),
        rev: sql`rev + 1`,
      })
      .where('firmware_id', '=', firmwareID)
      .execute()
  })
}
