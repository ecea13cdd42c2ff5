import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { listProducts, readProduct } from '@ithings/contract/features/products.ts'
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
} from '@ithings/contract/features/thing-model.ts'
import { maxFunctions } from '@ithings/contract/thing-model/limits.ts'
import type { FunctionType } from '@ithings/contract/thing-model/model.ts'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'
import type { ListPaging } from '#kit/list-page/list-contract.ts'

/** Drawers and dialogs show refusals themselves. */
const quiet = { quiet: true }

export interface FunctionSearch {
  type: FunctionType | undefined
  keyword: string | undefined
}

export const functionsQuery = (productID: string, page: ListPaging, search: FunctionSearch) =>
  endpointQuery(listSchema, { productID, page, ...search })

/** The whole model: the counts of the tabs and the identifiers that are taken. */
export const wholeModelQuery = (productID: string) =>
  endpointQuery(listSchema, { productID, page: { page: 1, size: maxFunctions } }, quiet)

export const tslQuery = (productID: string) => endpointQuery(readTsl, { productID }, quiet)

const versionPage = 20

export const versionsQuery = (productID: string, page: number) =>
  endpointQuery(listSchemaVersions, { productID, page: { page, size: versionPage } }, quiet)

export const versionQuery = (productID: string, version: number) =>
  endpointQuery(readSchemaVersion, { productID, version }, quiet)

export const referencesQuery = (productID: string, identifiers: string[]) =>
  endpointQuery(listSchemaReferences, { productID, identifiers }, quiet)

const modelPaths: readonly string[] = [
  listSchema.path,
  readTsl.path,
  listSchemaVersions.path,
  readSchemaVersion.path,
  listSchemaReferences.path,
  readProduct.path,
]

/** The product stands in a key alone (the pages of versions) or in a body. */
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

export const postFunction = (body: BodyInput<typeof createSchema>) => call(createSchema, body, quiet)
export const putFunction = (body: BodyInput<typeof updateSchema>) => call(updateSchema, body, quiet)
export const dropFunction = ({ productID, identifier }: Pick<SchemaItem, 'productID' | 'identifier'>) =>
  call(deleteSchema, { productID, identifier }, quiet)
export const sendTsl = (body: BodyInput<typeof importTsl>) => call(importTsl, body, quiet)
export const restoreVersion = (productID: string, version: number) =>
  call(restoreSchemaVersion, { productID, version }, quiet)
