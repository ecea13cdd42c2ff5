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

/** The devices first and in one order, as everybody takes them who counts members (migration 0008). */
const held = (ids: number[]) => sql`
  with held as materialized (
    select device_id from device where device_id = any(${ids}::bigint[]) order by device_id for no key update
  )`

export async function addGroupDevices(db: Db, input: Members): Promise<void> {
  const ids = await memberIDs(db, input)
  try {
    await sql`
      ${held(ids)} insert into group_device (group_id, device_id)
      select ${input.groupID}, device_id from held order by device_id on conflict do nothing`.execute(db)
  } catch (cause) {
    // Deleted between our look at it and the write.
    if ((cause as { constraint?: string }).constraint === 'group_device_group_id_fkey')
      throw unknownGroup(input.groupID)
    throw cause
  }
}

export async function removeGroupDevices(db: Db, input: Members): Promise<void> {
  const ids = await memberIDs(db, input)
  await sql`
    ${held(ids)} delete from group_device
    where group_id = ${input.groupID} and device_id in (select device_id from held)`.execute(db)
}
