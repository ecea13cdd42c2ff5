import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { listProducts, readProduct } from '@ithings/contract/features/products/info.ts'
import {
  createSchema,
  deleteSchema,
  importTsl,
  listSchema,
  listSchemaReferences,
  listSchemaVersions,
  readSchemaVersion,
  readTsl,
  restoreSchemaVersion,
  type SchemaItem,
  updateSchema,
} from '@ithings/contract/features/products/schema.ts'
import { maxFunctions } from '@ithings/contract/thing-model/limits.ts'
import type { FunctionType } from '@ithings/contract/thing-model/model.ts'
import { queryOptions, useQueryClient } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import type { ListPaging } from '#kit/list-page/list-contract.ts'

export interface FunctionSearch {
  type: FunctionType | undefined
  keyword: string | undefined
}

export const functionsQuery = (productID: string, page: ListPaging, search: FunctionSearch) =>
  queryOptions({
    queryKey: [listSchema.path, productID, { page, ...search }],
    queryFn: ({ signal }) => call(listSchema, { productID, page, ...search }, { signal }),
  })

/** The whole model: the counts of the tabs and the identifiers that are taken. */
export const wholeModelQuery = (productID: string) =>
  queryOptions({
    queryKey: [listSchema.path, productID, 'all'],
    queryFn: ({ signal }) =>
      call(listSchema, { productID, page: { page: 1, size: maxFunctions } }, { signal, quiet: true }),
  })

export const tslQuery = (productID: string) =>
  queryOptions({
    queryKey: [readTsl.path, productID],
    queryFn: ({ signal }) => call(readTsl, { productID }, { signal, quiet: true }),
  })

const versionPage = 20

export const versionsQuery = (productID: string, page: number) =>
  queryOptions({
    queryKey: [listSchemaVersions.path, productID, page],
    queryFn: ({ signal }) =>
      call(listSchemaVersions, { productID, page: { page, size: versionPage } }, { signal, quiet: true }),
  })

export const versionQuery = (productID: string, version: number) =>
  queryOptions({
    queryKey: [readSchemaVersion.path, productID, version],
    queryFn: ({ signal }) => call(readSchemaVersion, { productID, version }, { signal, quiet: true }),
  })

export const referencesQuery = (productID: string, identifiers: string[]) =>
  queryOptions({
    queryKey: [listSchemaReferences.path, productID, identifiers],
    queryFn: ({ signal }) => call(listSchemaReferences, { productID, identifiers }, { signal, quiet: true }),
  })

const modelPaths: readonly string[] = [
  listSchema.path,
  readTsl.path,
  listSchemaVersions.path,
  readSchemaVersion.path,
  listSchemaReferences.path,
  readProduct.path,
]

/** The product stands in a key alone or in a body. */
const isOf = (productID: string, part: unknown) =>
  part === productID || (part as { productID?: unknown } | undefined)?.productID === productID

/** Table, export, versions and the counts of the product all show the model: any change of it makes them ask again. */
export function useModelChanged(productID: string): () => Promise<void> {
  const client = useQueryClient()
  return () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [path, product] }) =>
        path === listProducts.path || (modelPaths.includes(String(path)) && isOf(productID, product)),
    })
}

// Drawers and dialogs show refusals themselves, so these calls are quiet.
export const postFunction = (body: BodyInput<typeof createSchema>) => call(createSchema, body, { quiet: true })
export const putFunction = (body: BodyInput<typeof updateSchema>) => call(updateSchema, body, { quiet: true })
export const dropFunction = ({ productID, identifier }: Pick<SchemaItem, 'productID' | 'identifier'>) =>
  call(deleteSchema, { productID, identifier }, { quiet: true })
export const sendTsl = (body: BodyInput<typeof importTsl>) => call(importTsl, body, { quiet: true })
export const restoreVersion = (productID: string, version: number) =>
  call(restoreSchemaVersion, { productID, version }, { quiet: true })
