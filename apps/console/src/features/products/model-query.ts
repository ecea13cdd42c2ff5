/** The thing model of a product, for samples. Apart from the other queries: the list needs no model reader. */
import { readTsl } from '@ithings/contract/features/products/schema.ts'
import { readTslText } from '@ithings/contract/thing-model/tsl.ts'
import { queryOptions } from '@tanstack/react-query'
import { endpointQuery } from '#api/endpoint-query.ts'

export const modelQuery = (productID: string) =>
  queryOptions({
    ...endpointQuery(readTsl, { productID }, { quiet: true }),
    select: ({ tsl }) => readTslText(tsl).model,
  })
