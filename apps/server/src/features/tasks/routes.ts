import type { MountedEndpoint } from '#http/route.ts'
import type { TasksKit } from './tasks-kit.ts'

export const tasksRoutes = (_kit: TasksKit): MountedEndpoint[] => []
