/** The two start-up calls (spec 7). Their cache keys are their paths, so any feature may read or invalidate them. */

import { viewRole } from '@ithings/contract/features/roles.ts'
import { readConfig } from '@ithings/contract/features/settings.ts'
import { readResources } from '@ithings/contract/features/users.ts'
import { queryOptions } from '@tanstack/react-query'
import { ApiError, isNetworkFailure } from './api-error.ts'
import { call } from './call.ts'
import { endpointQuery } from './endpoint-query.ts'
import { preview } from './preview.ts'

async function readSession(signal: AbortSignal) {
  const mine = await call(readResources, {}, { quiet: true, signal })
  const role = preview.roleID()
  if (role === undefined) return { ...mine, previewing: undefined }
  try {
    const { name, menu, withheld } = await call(viewRole, { id: role }, { quiet: true, signal })
    preview.withhold(withheld)
    return { ...mine, menu, withheld, info: { ...mine.info, role }, newSignIns: [], previewing: { role, name } }
  } catch (error) {
    if (!(error instanceof ApiError) || isNetworkFailure(error)) throw error
    // The role is gone, or the person may no longer look through it.
    preview.end()
    return { ...mine, previewing: undefined }
  }
}

/** Who I am, or through whose eyes I look, and which menu entries that gives. Invalidate it after menu or role edits. */
export const sessionQuery = queryOptions({
  queryKey: [readResources.path],
  // spec 8: session load failure redirects to the login route, with no message.
  queryFn: ({ signal }) => readSession(signal),
})

/** Title, logo, version, captcha and the map key; a failure only leaves them out. */
export const configQuery = endpointQuery(readConfig, {}, { quiet: true })
