import * as contract from '@ithings/contract/features/groups.ts'
import type { DevicesDeps } from '#features/devices/door.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { createGroup } from './create-group.ts'
import { deleteGroup } from './delete-group.ts'
import { addByFilter, addGroupDevices, listGroupDevices, removeGroupDevices, tellGroups } from './group-devices.ts'
import { listGroups, listGroupsOfDevice, readGroup } from './list-groups.ts'
import { updateGroup } from './update-group.ts'

export const groupsRoutes = (deps: DevicesDeps): MountedEndpoint[] => {
  const { db } = deps
  const told = async <T>(change: Promise<T>): Promise<T> => {
    const answer = await change
    await tellGroups(deps)
    return answer
  }
  return [
    on(contract.createGroup, (input) => told(createGroup(db, input))),
    on(contract.updateGroup, (input) => told(updateGroup(db, input))),
    on(contract.deleteGroup, (input) => told(deleteGroup(db, input))),
    on(contract.readGroup, (input) => readGroup(db, input)),
    on(contract.listGroups, (input, { user }) => listGroups(db, input, user)),
    on(contract.listGroupDevices, (input) => listGroupDevices(deps, input)),
    on(contract.addGroupDevices, async ({ groupID, list = [], filter }, { user }) => {
      if (filter) return addByFilter(deps, groupID, filter, user)
      await told(addGroupDevices(db, { groupID, list }))
      return undefined
    }),
    on(contract.removeGroupDevices, (input) => told(removeGroupDevices(db, input))),
    on(contract.listGroupsOfDevice, (input) => listGroupsOfDevice(db, input)),
  ]
}
