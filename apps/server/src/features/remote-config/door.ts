export type { RemoteConfigKit } from './remote-config-kit.ts'
