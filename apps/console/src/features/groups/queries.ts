import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { countDevices, type DeviceKey, listDevices } from '@ithings/contract/features/devices/info.ts'
import {
  addGroupDevices,
  createGroup,
  deleteGroup,
  listGroupDevices,
  listGroups,
  listGroupsOfDevice,
  readGroup,
  removeGroupDevices,
  updateGroup,
} from '@ithings/contract/features/groups.ts'
import { hashKey, type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'

export const groupsQuery = (body: BodyInput<typeof listGroups>) => endpointQuery(listGroups, body)

export const groupQuery = (groupID: string) => endpointQuery(readGroup, { groupID }, { quiet: true })

/** The device list answers groups too, with more filters than the group's own call. */
export const devicesQuery = (body: BodyInput<typeof listDevices>) => endpointQuery(listDevices, body)

const touched = [listGroups, readGroup, listGroupDevices, listGroupsOfDevice, listDevices, countDevices]
/** Forms and dialogs show the refusal themselves: no notification beside it. */
const quiet = { quiet: true }

/** @param gone a group that no longer is: whoever still shows it for a moment must not ask for it */
const readAgain = (client: QueryClient, gone?: string) => {
  const missing = gone === undefined ? undefined : hashKey(groupQuery(gone).queryKey)
  return client.invalidateQueries({
    predicate: ({ queryKey: [path], queryHash }) => touched.some((one) => one.path === path) && queryHash !== missing,
  })
}

function useChange<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient()
  return useMutation({ mutationFn, onSuccess: () => readAgain(client) })
}

export const useCreateGroup = () => useChange((body: BodyInput<typeof createGroup>) => call(createGroup, body, quiet))

export const useUpdateGroup = () => useChange((body: BodyInput<typeof updateGroup>) => call(updateGroup, body, quiet))

/** Leaves the group before it, or one that went with it, is read again and found missing. */
export function useDeleteGroup() {
  const client = useQueryClient()
  return async (groupID: string, leave: () => void) => {
    await call(deleteGroup, { groupID }, quiet)
    leave()
    await readAgain(client, groupID)
    client.removeQueries({ queryKey: [readGroup.path], type: 'inactive' })
  }
}

interface Membership {
  groupID: string
  list: readonly DeviceKey[]
}

const membersBody = ({ groupID, list }: Membership) => ({
  groupID,
  list: list.map(({ productID, deviceName }) => ({ productID, deviceName })),
})

export const useAddDevices = () => useChange((input: Membership) => call(addGroupDevices, membersBody(input), quiet))

export const useRemoveDevices = () =>
  useChange((input: Membership) => call(removeGroupDevices, membersBody(input), quiet))
