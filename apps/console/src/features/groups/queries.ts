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
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#api/call.ts'

export const groupsQuery = (body: BodyInput<typeof listGroups>) =>
  queryOptions({ queryKey: [listGroups.path, body], queryFn: ({ signal }) => call(listGroups, body, { signal }) })

export const groupQuery = (groupID: string) =>
  queryOptions({
    queryKey: [readGroup.path, { groupID }],
    queryFn: ({ signal }) => call(readGroup, { groupID }, { quiet: true, signal }),
  })

/** The device list answers groups too, with more filters than the group's own call. */
export const devicesQuery = (body: BodyInput<typeof listDevices>) =>
  queryOptions({ queryKey: [listDevices.path, body], queryFn: ({ signal }) => call(listDevices, body, { signal }) })

const touched = [listGroups, readGroup, listGroupDevices, listGroupsOfDevice, listDevices, countDevices]
/** Forms and dialogs show the refusal themselves: no notification beside it. */
const quiet = { quiet: true }

function useChange<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn,
    onSuccess: () => Promise.all(touched.map(({ path }) => client.invalidateQueries({ queryKey: [path] }))),
  })
}

export const useCreateGroup = () => useChange((body: BodyInput<typeof createGroup>) => call(createGroup, body, quiet))

export const useUpdateGroup = () => useChange((body: BodyInput<typeof updateGroup>) => call(updateGroup, body, quiet))

export const useDeleteGroup = () => useChange((groupID: string) => call(deleteGroup, { groupID }, quiet))

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
