import type { BodyInput } from '@ithings/contract/endpoint.ts'
import {
  cancelConfigPush,
  createConfig,
  listConfigDevices,
  listConfigProducts,
  listConfigPushDevices,
  listConfigPushes,
  listConfigs,
  previewConfigPush,
  pushConfig,
  readLatestConfig,
  restoreConfig,
} from '@ithings/contract/features/remote-config.ts'
import { infiniteQueryOptions, keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import type { LiveQueries } from '#api/live.ts'

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

/** What a push that moved makes old. */
export const pushChanges: LiveQueries = {
  info: [[listConfigPushes.path], [listConfigPushDevices.path], [listConfigDevices.path]],
}

/** Forms and dialogs show the refusal themselves: no notification beside it. */
const quiet = { quiet: true }

export function useConfigWork(productID: string) {
  const client = useQueryClient()
  return useMemo(() => {
    const again = async (paths: readonly string[]) => {
      await Promise.all(paths.map((path) => client.invalidateQueries({ queryKey: [path] })))
    }
    const versions = () =>
      again([readLatestConfig.path, listConfigs.path, listConfigProducts.path, listConfigDevices.path])
    const pushes = () => again([listConfigPushes.path, listConfigPushDevices.path, listConfigDevices.path])
    return {
      versions,
      save: async (body: Omit<BodyInput<typeof createConfig>, 'productID'>) => {
        const saved = await call(createConfig, { productID, ...body }, quiet)
        await versions()
        return saved
      },
      restore: async (id: number, note: string | undefined) => {
        const restored = await call(restoreConfig, { productID, id, ...(note && { note }) }, quiet)
        await versions()
        return restored
      },
      push: async (body: Omit<BodyInput<typeof pushConfig>, 'productID'>) => {
        const run = await call(pushConfig, { productID, ...body }, quiet)
        await pushes()
        return run
      },
      cancel: async (runID: string) => {
        await call(cancelConfigPush, { runID }, quiet)
        await pushes()
      },
    }
  }, [client, productID])
}
