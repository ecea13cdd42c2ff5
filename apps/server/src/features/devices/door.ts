export type { DevicesKit } from './devices-kit.ts'
export { groupWithChildren } from './group-reach.ts'
export { listDevices } from './list-devices.ts'
export { findDevice } from './store.ts'
