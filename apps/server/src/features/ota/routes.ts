import type { MountedEndpoint } from '#http/route.ts'
import type { OtaKit } from './ota-kit.ts'

export const otaRoutes = (_kit: OtaKit): MountedEndpoint[] => []
