import type { BodyInput } from '@ithings/contract/endpoint.ts'
import {
  exportDevices,
  importDevices,
  multiCreateDevices,
  multiDeleteDevices,
  multiUpdateDevices,
  simulateDevices,
} from '@ithings/contract/features/devices/bulk.ts'
import {
  countDevices,
  createDevice,
  type DeviceKey,
  deleteDevice,
  listDevices,
  readDevice,
  updateDevice,
} from '@ithings/contract/features/devices/info.ts'
import {
  bindSubDevices,
  listBindCandidates,
  listSubDevices,
  readGatewayOf,
  unbindSubDevices,
} from '@ithings/contract/features/gateways.ts'
import {
  addGroupDevices,
  listGroupDevices,
  listGroups,
  listGroupsOfDevice,
  readGroup,
  removeGroupDevices,
} from '@ithings/contract/features/groups.ts'
import { listProducts, readProduct } from '@ithings/contract/features/products.ts'
import { readTsl } from '@ithings/contract/features/thing-model.ts'
import { readTslText } from '@ithings/contract/thing-model/tsl.ts'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { type UploadOptions, upload } from '#api/upload.ts'
import { useReadAgain } from '#api/use-change.ts'

/** Rows travel without what else they carry. */
export const keyOf = ({ productID, deviceName }: DeviceKey): DeviceKey => ({ productID, deviceName })

export const devicesQuery = (body: BodyInput<typeof listDevices>) => endpointQuery(listDevices, body)

export const deviceCountQuery = (body: BodyInput<typeof countDevices>) =>
  endpointQuery(countDevices, body, { quiet: true })

export const deviceQuery = (key: DeviceKey) =>
  endpointQuery(readDevice, { ...keyOf(key), withSecret: false }, { quiet: true })

export const subDevicesQuery = (body: BodyInput<typeof listSubDevices>) => endpointQuery(listSubDevices, body)

export const bindCandidatesQuery = (body: BodyInput<typeof listBindCandidates>) =>
  endpointQuery(listBindCandidates, body)

export const gatewayOfQuery = (key: DeviceKey) => endpointQuery(readGatewayOf, keyOf(key), { quiet: true })

export const groupsOfDeviceQuery = (key: DeviceKey) => endpointQuery(listGroupsOfDevice, keyOf(key), { quiet: true })

/** Whatever shows devices or counts them. */
const touched = [
  listDevices,
  countDevices,
  readDevice,
  listSubDevices,
  listBindCandidates,
  readGatewayOf,
  listGroups,
  readGroup,
  listGroupDevices,
  listGroupsOfDevice,
  listProducts,
  readProduct,
]

/** Lists, counters and groups read again; also after a job that changed devices. */
export const useDevicesChanged = () => useReadAgain(touched)

/** Forms and dialogs show the refusal themselves: no notification beside it. */
const quiet = { quiet: true }

function useChange<Input, Output>(mutationFn: (input: Input) => Promise<Output>) {
  const changed = useDevicesChanged()
  return useMutation({ mutationFn, onSuccess: changed })
}

export const useCreateDevice = () =>
  useChange((body: BodyInput<typeof createDevice>) => call(createDevice, body, quiet))

export const useUpdateDevice = () =>
  useChange((body: BodyInput<typeof updateDevice>) => call(updateDevice, body, quiet))

export const useDeleteDevice = () => useChange((key: DeviceKey) => call(deleteDevice, keyOf(key), quiet))

/** Starts a job; its end is followed by JobProgress. */
export const useMultiCreateDevices = () =>
  useMutation({
    mutationFn: (body: BodyInput<typeof multiCreateDevices>) => call(multiCreateDevices, body, quiet),
  })

export const useExportDevices = () =>
  useMutation({ mutationFn: (body: BodyInput<typeof exportDevices>) => call(exportDevices, body, quiet) })

/** Devices by name, or all that a filter matches on the server. */
export type Targets = { list: DeviceKey[] } | { filter: NonNullable<BodyInput<typeof multiDeleteDevices>['filter']> }
const targetsBody = (targets: Targets) => ('filter' in targets ? targets : { list: targets.list.map(keyOf) })

/** The platform plays the device, or stops doing so. */
export const useSimulateDevices = () =>
  useChange(({ on, ...targets }: Targets & { on: boolean }) =>
    call(simulateDevices, { ...targetsBody(targets), on }, quiet),
  )

export const useMultiDeleteDevices = () =>
  useChange((targets: Targets) => call(multiDeleteDevices, targetsBody(targets), quiet))

export const useMultiUpdateDevices = () =>
  useChange((body: BodyInput<typeof multiUpdateDevices>) => call(multiUpdateDevices, body, quiet))

interface ImportInput extends UploadOptions {
  file: File
  dryRun: boolean
}

/** A dry run changes nothing, so nothing is read again after it. */
export function useImportDevices() {
  const changed = useDevicesChanged()
  return useMutation({
    mutationFn: ({ file, dryRun, ...options }: ImportInput) =>
      upload(importDevices, file, { dryRun: String(dryRun) }, options),
    onSuccess: async (_answer, { dryRun }) => {
      if (!dryRun) await changed()
    },
  })
}

interface Membership {
  groupID: string
  list: readonly DeviceKey[]
}

export const useAddToGroup = () =>
  useChange(({ groupID, ...targets }: Targets & { groupID: string }) =>
    call(addGroupDevices, { groupID, ...targetsBody(targets) }, quiet),
  )

export const useRemoveFromGroup = () =>
  useChange(({ groupID, list }: Membership) => call(removeGroupDevices, { groupID, list: list.map(keyOf) }, quiet))

interface Binding {
  gateway: DeviceKey
  list: readonly DeviceKey[]
}

const bindingBody = ({ gateway, list }: Binding) => ({
  gateWayProductID: gateway.productID,
  gateWaydeviceName: gateway.deviceName,
  list: list.map(keyOf),
})

export const useBindSubDevices = () => useChange((input: Binding) => call(bindSubDevices, bindingBody(input), quiet))

export const useUnbindSubDevices = () =>
  useChange((input: Binding) => call(unbindSubDevices, bindingBody(input), quiet))

/** Leaves the device's page before it is read again and found missing. */
export function useDeleteAndLeave() {
  const client = useQueryClient()
  const changed = useDevicesChanged()
  return async (key: DeviceKey, leave: () => void | Promise<void>) => {
    await call(deleteDevice, keyOf(key), quiet)
    await leave()
    for (const { path } of [readDevice, listGroupsOfDevice, readGatewayOf]) {
      client.removeQueries({ queryKey: [path, keyOf(key)] })
    }
    await changed()
  }
}

/** Any product, as an example. */
export const someProductQuery = endpointQuery(listProducts, { page: { page: 1, size: 1 } }, quiet)

export const deviceProductQuery = (productID: string) =>
  endpointQuery(readProduct, { productID, withSecret: false }, { quiet: true })

export const deviceModelQuery = (productID: string) =>
  queryOptions({
    ...endpointQuery(readTsl, { productID }, { quiet: true }),
    select: ({ tsl }) => readTslText(tsl).model,
  })

/** The same groups as rows of a list. */
export const groupRowsQuery = (key: DeviceKey) =>
  queryOptions({
    queryKey: [listGroupsOfDevice.path, keyOf(key), 'rows'],
    queryFn: async ({ signal }) => {
      const { list } = await call(listGroupsOfDevice, keyOf(key), { signal })
      return { list, total: list.length }
    },
  })
