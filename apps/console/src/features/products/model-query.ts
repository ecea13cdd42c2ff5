/** The thing model of a product, for samples. Apart from the other queries: the list needs no model reader. */
import { readTsl } from '@ithings/contract/features/products/schema.ts'
import { readTslText } from '@ithings/contract/thing-model/tsl.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

export const modelQuery = (productID: string) =>
  queryOptions({
    queryKey: [readTsl.path, { productID }],
    queryFn: ({ signal }) => call(readTsl, { productID }, { quiet: true, signal }),
    select: ({ tsl }) => readTslText(tsl).model,
  })
