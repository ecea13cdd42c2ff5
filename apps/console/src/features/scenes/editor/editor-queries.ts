/** What the editor looks up to name and to offer: models, products, groups, channels, other scenes. */
import { listAlarms } from '@ithings/contract/features/alarms/config.ts'
import { listDevices } from '@ithings/contract/features/devices/info.ts'
import { listLatest } from '@ithings/contract/features/devices/msg.ts'
import { listProducts } from '@ithings/contract/features/products/info.ts'
import { readTsl } from '@ithings/contract/features/products/schema.ts'
import { listScenes } from '@ithings/contract/features/scenes/info.ts'
import { readTslText } from '@ithings/contract/thing-model/tsl.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'

const quiet = { quiet: true }

export const modelQuery = (productID: string) =>
  queryOptions({ ...endpointQuery(readTsl, { productID }, quiet), select: ({ tsl }) => readTslText(tsl).model })

export const productNamesQuery = (productIDs: string[]) =>
  queryOptions({
    queryKey: [listProducts.path, 'names', productIDs],
    enabled: productIDs.length > 0,
    queryFn: async ({ signal }) => {
      const body = { productIDs, page: { page: 1, size: productIDs.length } }
      const { list } = await call(listProducts, body, { ...quiet, signal })
      return new Map(list.map(({ productID, productName }) => [productID, productName]))
    },
  })

/** The alias of one device; '' when it has none or is gone. */
export const aliasQuery = (productID: string, deviceName: string) =>
  queryOptions({
    queryKey: [listDevices.path, 'alias', { productID, deviceName }],
    queryFn: async ({ signal }) => {
      const body = { productID, deviceName, page: { page: 1, size: 50 } }
      const { list } = await call(listDevices, body, { ...quiet, signal })
      return list.find((device) => device.deviceName === deviceName)?.deviceAlias ?? ''
    },
  })

export const sceneNamesQuery = (sceneIDs: number[]) =>
  queryOptions({
    queryKey: [listScenes.path, 'names', sceneIDs],
    enabled: sceneIDs.length > 0,
    queryFn: async ({ signal }) => {
      const body = { sceneIDs, page: { page: 1, size: sceneIDs.length } }
      const { list } = await call(listScenes, body, { ...quiet, signal })
      return new Map(list.map(({ id, name }) => [id, name]))
    },
  })

export const linkedAlarmsQuery = (alarmIDs: number[]) =>
  queryOptions({
    queryKey: [listAlarms.path, 'linked', alarmIDs],
    enabled: alarmIDs.length > 0,
    queryFn: async ({ signal }) => {
      const body = { alarmIDs, page: { page: 1, size: alarmIDs.length } }
      return (await call(listAlarms, body, { ...quiet, signal })).list
    },
  })

export const latestQuery = (productID: string, deviceName: string) =>
  endpointQuery(listLatest, { productID, deviceName }, quiet)
