import { loadDemo, readDemo, removeDemo } from '@ithings/contract/features/demo.ts'
import { type MountedEndpoint, on } from '#http/route.ts'
import type { DemoKit } from './demo-kit.ts'
import { readDemo as read } from './read-demo.ts'
import { startLoading, startRemoving } from './start-demo.ts'

export const demoRoutes = (kit: DemoKit): MountedEndpoint[] => [
  on(readDemo, () => read(kit.db)),
  on(loadDemo, (_, { user }) => startLoading(kit, user)),
  on(removeDemo, (_, { user }) => startRemoving(kit, user)),
]
