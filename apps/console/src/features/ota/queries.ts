import type { BodyInput } from '@ithings/contract/endpoint.ts'
import {
  listFirmware,
  readDeviceVersions,
  readFirmware,
  readSigningKey,
} from '@ithings/contract/features/ota/firmware.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import { useSend } from '#blocks/rollout/use-acts.ts'

export const firmwareListQuery = (body: BodyInput<typeof listFirmware>) => endpointQuery(listFirmware, body)

export const firmwareQuery = (firmwareID: number) => endpointQuery(readFirmware, { firmwareID }, { quiet: true })

/** Versions that the devices of the package's product and module run. */
export const deviceVersionsQuery = (firmwareID: number) =>
  queryOptions({
    queryKey: [readDeviceVersions.path, { firmwareID }],
    queryFn: async ({ signal }) => (await call(readDeviceVersions, { firmwareID }, { quiet: true, signal })).list,
  })

export const signingKeyQuery = (productID: string) =>
  queryOptions({
    queryKey: [readSigningKey.path, { productID }],
    queryFn: async ({ signal }) => (await call(readSigningKey, { productID }, { quiet: true, signal })).publicKey,
  })

/** What the platform knows about a package this moment: links are signed and expire. */
export function useFreshFirmware() {
  const client = useQueryClient()
  return (firmwareID: number) => client.fetchQuery({ ...firmwareQuery(firmwareID), staleTime: 0 })
}

const aboutFirmware = [listFirmware, readFirmware]
/** What changes packages. */
export const useFirmwareSend = () => useSend(aboutFirmware)

const listsOfFirmware = [listFirmware]
/** What creates or deletes one: a deleted package must not be asked for again, so only the lists are. */
export const useFirmwareListSend = () => useSend(listsOfFirmware)

const signingKeys = [readSigningKey]
export const useSigningKeySend = () => useSend(signingKeys)
