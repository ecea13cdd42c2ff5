/** Devices in and out of a group, thousands at once, all or nothing. */
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type {
  addGroupDevices as addEndpoint,
  listGroupDevices as listEndpoint,
} from '@ithings/contract/features/groups.ts'
import { sql } from 'kysely'
import { findByKeys, refuseMissing } from '#db/device-keys.ts'
import type { Db } from '#db/schema.ts'
import { type DevicesKit, listDevicesWithValues } from '#features/devices/door.ts'
import { findGroup, unknownGroup } from './store.ts'

type Members = BodyOutput<typeof addEndpoint>

export async function listGroupDevices(kit: DevicesKit, { groupID, ...input }: BodyOutput<typeof listEndpoint>) {
  await findGroup(kit.db, groupID)
  return listDevicesWithValues(kit, { ...input, inGroupID: groupID })
}

async function memberIDs(db: Db, { groupID, list }: Members): Promise<number[]> {
  await findGroup(db, groupID)
  const { found, missing } = await findByKeys(db, list)
  refuseMissing(missing)
  return found.map((one) => one.deviceID)
}

export async function addGroupDevices(db: Db, input: Members): Promise<void> {
  const ids = await memberIDs(db, input)
  try {
    await sql`
      insert into group_device (group_id, device_id)
      select ${input.groupID}, id from unnest(${ids}::bigint[]) as member (id) order by id
      on conflict do nothing`.execute(db)
  } catch (cause) {
    // Deleted between our look at it and the write.
    if ((cause as { constraint?: string }).constraint === 'group_device_group_id_fkey')
      throw unknownGroup(input.groupID)
    throw cause
  }
}

export async function removeGroupDevices(db: Db, input: Members): Promise<void> {
  const ids = await memberIDs(db, input)
  await db
    .deleteFrom('group_device')
    .where('group_id', '=', input.groupID)
    .where(sql<boolean>`device_id = any(${ids}::bigint[])`)
    .execute()
}
