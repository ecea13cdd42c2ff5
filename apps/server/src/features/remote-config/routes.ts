import type { MountedEndpoint } from '#http/route.ts'
import type { RemoteConfigKit } from './remote-config-kit.ts'

export const remoteConfigRoutes = (_kit: RemoteConfigKit): MountedEndpoint[] => []
