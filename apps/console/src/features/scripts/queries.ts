import type { BodyInput } from '@ithings/contract/endpoint.ts'
import { readCustom, runScript, saveDraft, updateCustom } from '@ithings/contract/features/scripts.ts'
import { call } from '#api/call.ts'
import { endpointQuery } from '#api/endpoint-query.ts'

export const customQuery = (productID: string) => endpointQuery(readCustom, { productID }, { quiet: true })

// The page shows refusals where they belong, so these calls are quiet.
export const publishScript = (body: BodyInput<typeof updateCustom>) => call(updateCustom, body, { quiet: true })
export const putDraft = (body: BodyInput<typeof saveDraft>) => call(saveDraft, body, { quiet: true })
export const tryScript = (body: BodyInput<typeof runScript>) => call(runScript, body, { quiet: true })
