import { searchAll as endpoint } from '@ithings/contract/features/search.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { searchAll } from './search-all.ts'
import type { SearchDeps } from './search-deps.ts'

export const searchRoutes = (deps: SearchDeps): MountedEndpoint[] => [
  on(endpoint, (input, ctx) => searchAll(deps, ctx.user.role, input)),
]
