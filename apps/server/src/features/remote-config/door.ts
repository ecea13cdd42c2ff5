export type { RemoteConfigKit } from './remote-config-kit.ts'
export { type Delivery, sendConfigTo } from './send-config.ts'
export { requireVersion } from './store.ts'
