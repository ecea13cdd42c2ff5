import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { type Device, listDevices } from '@ithings/contract/features/devices/info.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

export type DeviceRowsFilter = Omit<BodyInput<typeof listDevices>, 'page' | 'withProperties'>

const byName = [{ field: 'deviceName', sort: 1 as const }]

export const deviceRowsQuery = (filter: DeviceRowsFilter, page: number, size: number) =>
  queryOptions({
    queryKey: [listDevices.path, 'choice', filter, page, size],
    queryFn: ({ signal }) =>
      call(listDevices, { ...filter, page: { page, size, orders: byName } }, { quiet: true, signal }),
    placeholderData: keepPreviousData,
  })

const pageRows = 1000

/** Everything that matches, page by page, up to a limit. */
export async function readDeviceNames(filter: DeviceRowsFilter, limit: number): Promise<string[]> {
  const names: string[] = []
  for (let page = 1; names.length < limit; page++) {
    const body = { ...filter, page: { page, size: Math.min(pageRows, limit), orders: byName } }
    const { list, total } = await call(listDevices, body, { quiet: true })
    names.push(...list.map((device: Device) => device.deviceName))
    if (list.length === 0 || names.length >= total) break
  }
  return names.slice(0, limit)
}
