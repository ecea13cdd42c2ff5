export { type DeviceAuth, makeDeviceAuth } from './device-auth.ts'
export type { DeviceAuthKit } from './device-auth-kit.ts'
export { installHookGuard } from './hook-guard.ts'
export { deviceAuthRoutes } from './routes.ts'
