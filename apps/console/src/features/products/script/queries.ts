import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { readCustom, runScript, saveDraft, updateCustom } from '@ithings/contract/features/products/custom.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '#api/call.ts'

export const customQuery = (productID: string) =>
  queryOptions({
    queryKey: [readCustom.path, productID],
    queryFn: ({ signal }) => call(readCustom, { productID }, { signal, quiet: true }),
  })

// The page shows refusals where they belong, so these calls are quiet.
export const publishScript = (body: BodyInput<typeof updateCustom>) => call(updateCustom, body, { quiet: true })
export const putDraft = (body: BodyInput<typeof saveDraft>) => call(saveDraft, body, { quiet: true })
export const tryScript = (body: BodyInput<typeof runScript>) => call(runScript, body, { quiet: true })
