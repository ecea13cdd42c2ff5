import type { BodyInput } from '@ithings/contract/endpoint.ts'
import {
  createFirmware,
  deleteFirmware,
  listFirmware,
  readDeviceVersions,
  readFirmware,
  readSigningKey,
  saveSigningKey,
  updateFirmware,
} from '@ithings/contract/features/ota/firmware.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'

/** Forms and dialogs show the refusal themselves: no notification beside it. */
const quiet = { quiet: true }

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

/** What changes packages; lists and details are read again afterwards. */
export function useFirmwareWork() {
  const client = useQueryClient()
  return useMemo(() => {
    const lists = () => client.invalidateQueries({ queryKey: [listFirmware.path] })
    return {
      create: async (body: BodyInput<typeof createFirmware>) => {
        const made = await call(createFirmware, body, quiet)
        await lists()
        // What the platform computed over the stored bytes, to hold against what was computed here.
        return client.fetchQuery({ ...firmwareQuery(made.firmwareID), staleTime: 0 })
      },
      update: async (body: BodyInput<typeof updateFirmware>) => {
        await call(updateFirmware, body, quiet)
        await Promise.all([lists(), client.invalidateQueries({ queryKey: [readFirmware.path] })])
      },
      remove: async (firmwareID: number) => {
        await call(deleteFirmware, { firmwareID }, quiet)
        await lists()
      },
      /** Links are signed and expire, so they are read anew before a download. */
      fresh: (firmwareID: number) => client.fetchQuery({ ...firmwareQuery(firmwareID), staleTime: 0 }),
      saveKey: async (body: BodyInput<typeof saveSigningKey>) => {
        await call(saveSigningKey, body, quiet)
        await client.invalidateQueries({ queryKey: [readSigningKey.path] })
      },
    }
  }, [client])
}
