import type { BodyInput } from '@ithings/contract/endpoint.ts'
import {
  listConfigDevices,
  listConfigProducts,
  listConfigPushDevices,
  listConfigPushes,
  listConfigs,
  previewConfigPush,
  readLatestConfig,
} from '@ithings/contract/features/remote-config.ts'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import type { LiveQueries } from '#api/live.ts'
import { useSend } from '#blocks/rollout/use-acts.ts'

const productsPerPage = 30

export const productsQuery = (filter: Omit<BodyInput<typeof listConfigProducts>, 'page'>) =>
  infiniteQueryOptions({
    queryKey: [listConfigProducts.path, filter],
    queryFn: ({ pageParam, signal }) =>
      call(
        listConfigProducts,
        { ...filter, page: { page: pageParam, size: productsPerPage } },
        { quiet: true, signal },
      ),
    initialPageParam: 1,
    getNextPageParam: (last, all) =>
      last.list.length > 0 && all.length * productsPerPage < last.total ? all.length + 1 : undefined,
  })

/** Its name, whatever the list beside it is filtered by; the id is searched like the name. */
export const productQuery = (productID: string) =>
  queryOptions({
    queryKey: [listConfigProducts.path, { productID }],
    queryFn: async ({ signal }) => {
      const body = { productName: productID, page: { page: 1, size: 10 } }
      const { list } = await call(listConfigProducts, body, { quiet: true, signal })
      return list.find((one) => one.productID === productID) ?? null
    },
  })

export const latestQuery = (productID: string) => endpointQuery(readLatestConfig, { productID }, { quiet: true })

export const versionsQuery = (body: BodyInput<typeof listConfigs>) => endpointQuery(listConfigs, body)

export const pushesQuery = (body: BodyInput<typeof listConfigPushes>) => endpointQuery(listConfigPushes, body)

/** One push by its number; undefined: there is none of this product. */
export const pushQuery = (productID: string, runID: string) =>
  queryOptions({
    queryKey: [listConfigPushes.path, { productID, runID }],
    queryFn: async ({ signal }) =>
      (await call(listConfigPushes, { productID, runID, page: { page: 1, size: 1 } }, { quiet: true, signal }))
        .list[0] ?? null,
  })

export const pushDevicesQuery = (body: BodyInput<typeof listConfigPushDevices>) =>
  endpointQuery(listConfigPushDevices, body)

export const configDevicesQuery = (body: BodyInput<typeof listConfigDevices>) => endpointQuery(listConfigDevices, body)

export const previewQuery = (body: BodyInput<typeof previewConfigPush>) =>
  queryOptions({ ...endpointQuery(previewConfigPush, body, { quiet: true }), placeholderData: keepPreviousData })

const aboutVersions = [readLatestConfig, listConfigs, listConfigProducts, listConfigDevices]
/** What saves or restores a version. */
export const useVersionSend = () => useSend(aboutVersions)

const aboutPushes = [listConfigPushes, listConfigPushDevices, listConfigDevices]
/** What starts or cancels a push; a refusal may mean that somebody saved another version meanwhile. */
const aboutPushesAndVersions = [...aboutPushes, ...aboutVersions]
export const usePushSend = () => useSend(aboutPushesAndVersions)

/** What a push that moved makes old. */
export const pushChanges: LiveQueries = { info: aboutPushes.map(({ path }) => [path]) }
