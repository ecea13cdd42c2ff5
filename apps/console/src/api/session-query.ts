/** The two start-up calls (spec 7). Their cache keys are their paths, so any feature may read or invalidate them. */
import { readConfig } from '@ithings/contract/features/settings.ts'
import { readResources } from '@ithings/contract/features/users.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from './call.ts'

/** Who I am and which menu entries I have. Invalidate it after menu or role edits. */
export const sessionQuery = queryOptions({
  queryKey: [readResources.path],
  // spec 8: session load failure redirects to the login route, with no message.
  queryFn: ({ signal }) => call(readResources, {}, { quiet: true, signal }),
})

/** Title, logo, version, captcha and the map key; a failure only leaves them out. */
export const configQuery = queryOptions({
  queryKey: [readConfig.path],
  queryFn: ({ signal }) => call(readConfig, {}, { quiet: true, signal }),
})
