import { searchAll as endpoint } from '@ithings/contract/features/search.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import { searchAll } from './search-all.ts'
import type { SearchKit } from './search-kit.ts'

export const searchRoutes = (kit: SearchKit): MountedEndpoint[] => [
  on(endpoint, (input, ctx) => searchAll(kit, ctx.user.role, input)),
]
