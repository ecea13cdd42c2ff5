import { loadDemo, readDemo, removeDemo } from '@ithings/contract/features/demo.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import type { DemoDeps } from './demo-deps.ts'
import { readDemo as read } from './read-demo.ts'
import { startLoading, startRemoving } from './start-demo.ts'

export const demoRoutes = (deps: DemoDeps): MountedEndpoint[] => [
  on(readDemo, () => read(deps.db)),
  on(loadDemo, (_, { user }) => startLoading(deps, user)),
  on(removeDemo, (_, { user }) => startRemoving(deps, user)),
]
