import type { MountedEndpoint } from '#http/route.ts'
import type { FirmwareKit } from './firmware-kit.ts'

export const firmwareRoutes = (_kit: FirmwareKit): MountedEndpoint[] => []
