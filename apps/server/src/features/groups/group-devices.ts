/** Devices in and out of a group, thousands at once, all or nothing. */
import type { BodyOutput } from '@ithings/contract/endpoint.ts'
import type { DeviceSet } from '@ithings/contract/features/devices/info.ts'
import type {
  listGroupDevices as listEndpoint,
  removeGroupDevices as removeEndpoint,
} from '@ithings/contract/features/groups.ts'
import { sql } from 'kysely'
import { inWords } from '#db/conflicts.ts'
import type { Db } from '#db/schema.ts'
import {
  type DevicesDeps,
  type FilteredWork,
  filteredJob,
  listDevicesWithValues,
  requireDevices,
  startFiltered,
} from '#features/devices/door.ts'
import type { JobKind } from '#features/jobs/door.ts'
import type { SignedInUser } from '#http/request-context.ts'
import { findGroup, unknownGroup } from './store.ts'

type Members = BodyOutput<typeof removeEndpoint>

export async function listGroupDevices(deps: DevicesDeps, { groupID, ...input }: BodyOutput<typeof listEndpoint>) {
  await findGroup(deps.db, groupID)
  return listDevicesWithValues(deps, { ...input, inGroupID: groupID })
}

async function memberIDs(db: Db, { groupID, list }: Members): Promise<number[]> {
  await findGroup(db, groupID)
  const found = await requireDevices(db, list)
  return found.map((one) => one.deviceID)
}

/** The devices first and in one order, as everybody takes them who counts members (migration 0008). */
const held = (ids: number[]) => sql`
  with held as materialized (
    select device_id from device where device_id = any(${ids}::bigint[]) order by device_id for no key update
  )`

async function addMembers(db: Db, groupID: number, ids: number[]): Promise<void> {
  const work = sql`
    ${held(ids)} insert into group_device (group_id, device_id)
    select ${groupID}, device_id from held order by device_id on conflict do nothing`.execute(db)
  // Deleted between our look at it and the write.
  await inWords(work, { group_device_group_id_fkey: () => unknownGroup(groupID) })
}

/** Scenes remember who belongs where. */
export const tellGroups = (deps: DevicesDeps) => deps.signal.send('group.changed', {})

const addWork: FilteredWork<{ groupID: number }> = {
  kind: 'group.add-devices',
  async act(deps, { groupID, list }) {
    await addMembers(
      deps.db,
      groupID,
      list.map((one) => one.deviceID),
    )
    await tellGroups(deps)
    return { success: list.length, failed: [] }
  },
}
export const groupJobKinds = (deps: DevicesDeps): JobKind[] => [filteredJob(deps, addWork)]

export async function addByFilter(deps: DevicesDeps, groupID: number, filter: DeviceSet, user: SignedInUser) {
  await findGroup(deps.db, groupID)
  return startFiltered(deps, addWork, { groupID }, filter, user)
}

export const addGroupDevices = async (db: Db, input: Members): Promise<void> =>
  addMembers(db, input.groupID, await memberIDs(db, input))

export async function removeGroupDevices(db: Db, input: Members): Promise<void> {
  const ids = await memberIDs(db, input)
  await sql`
    ${held(ids)} delete from group_device
    where group_id = ${input.groupID} and device_id in (select device_id from held)`.execute(db)
}
