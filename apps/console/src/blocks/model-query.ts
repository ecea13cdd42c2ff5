import { readTsl } from '@ithings/contract/features/thing-model.ts'
import { readTslText } from '@ithings/contract/thing-model/tsl.ts'
import { queryOptions } from '@tanstack/react-query'
import { endpointQuery } from '#api/endpoint-query.ts'

/** The thing model of a product. Apart from other queries: lists need no model reader. */
export const modelQuery = (productID: string) =>
  queryOptions({
    ...endpointQuery(readTsl, { productID }, { quiet: true }),
    select: ({ tsl }) => readTslText(tsl).model,
  })
