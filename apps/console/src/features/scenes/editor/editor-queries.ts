/** What the editor looks up to name and to offer: products, devices, other scenes, alarms. */
import { listAlarms } from '@ithings/contract/features/alarms/config.ts'
import { type Device, listDevices } from '@ithings/contract/features/devices/info.ts'
import { listLatest } from '@ithings/contract/features/history.ts'
import { listScenes, type Scene } from '@ithings/contract/features/scenes/info.ts'
import { queryOptions } from '@tanstack/react-query'
import { endpointQuery } from '#api/endpoint-query.ts'
import { productLabelsQuery } from '#blocks/product-picker.tsx'
import type { PickerOption } from '#kit/remote-picker.tsx'

const quiet = { quiet: true }
const pageOf = (ids: readonly unknown[]) => ({ page: 1, size: Math.max(1, ids.length) })

// One function for all readers: what is computed from an answer stays the same as long as the answer does.
const namesOf = (options: PickerOption[]) => new Map(options.map(({ value, label }) => [value, label]))
const sceneNames = ({ list }: { list: Scene[] }) => new Map(list.map(({ id, name }) => [id, name]))

export const productNamesQuery = (productIDs: string[]) =>
  queryOptions({
    ...productLabelsQuery(productIDs),
    select: namesOf,
  })

/** The alias of one device; '' when it has none or is gone. */
export const aliasQuery = (productID: string, deviceName: string) =>
  queryOptions({
    ...endpointQuery(listDevices, { productID, deviceName, page: { page: 1, size: 50 } }, quiet),
    select: ({ list }: { list: Device[] }) =>
      list.find((device) => device.deviceName === deviceName)?.deviceAlias ?? '',
  })

export const sceneNamesQuery = (sceneIDs: number[]) =>
  queryOptions({
    ...endpointQuery(listScenes, { sceneIDs, page: pageOf(sceneIDs) }, quiet),
    enabled: sceneIDs.length > 0,
    select: sceneNames,
  })

export const linkedAlarmsQuery = (alarmIDs: number[]) =>
  queryOptions({
    ...endpointQuery(listAlarms, { alarmIDs, page: pageOf(alarmIDs) }, quiet),
    enabled: alarmIDs.length > 0,
  })

export const latestQuery = (productID: string, deviceName: string) =>
  endpointQuery(listLatest, { productID, deviceName }, quiet)
