export { announceDevices } from './announce-devices.ts'
export { tidyNames } from './deep-pages.ts'
export { type CachedDevice, type DeviceCache, makeDeviceCache } from './device-cache.ts'
export {
  askedKeys,
  type DeviceRefRow,
  findByKeys,
  matchKeys,
  refuseMissing,
  requireDevice,
  requireDevices,
  spellKey,
  toDeviceRef,
  unknownDevice,
} from './device-keys.ts'
export { type DeviceRow, devicesByID, toDevice } from './device-rows.ts'
export { groupWithChildren } from './device-scope.ts'
export { devicesWithWord } from './device-words.ts'
export type { DevicesDeps } from './devices-deps.ts'
export { type FilteredWork, filteredJob, startFiltered } from './filtered-work.ts'
export { livingServers, type ServerRow } from './heartbeat.ts'
export { listDevices, listDevicesWithValues } from './list-devices.ts'
export { insertDevice, type NewDeviceRow, sealedRow } from './new-device.ts'
export type { Presence } from './presence.ts'
export { findUpstream, type PresenceChange } from './presence-store.ts'
export { reportInfo } from './report-info.ts'
export { takeDevices } from './take-devices.ts'
export { writeSdkLogs } from './write-sdk-logs.ts'
