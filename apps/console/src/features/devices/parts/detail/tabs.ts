/** Tabs of a device by the keys that old links use (screens.md 6). Pure. */
import { DeviceType } from '@ithings/contract/features/products/info.ts'

export const DeviceTab = { info: 1, subDevices: 7, credentials: 8, groups: 11, topics: 12 } as const
export type DeviceTab = (typeof DeviceTab)[keyof typeof DeviceTab]

const order: { key: DeviceTab; label: string; only?: DeviceType }[] = [
  { key: DeviceTab.info, label: '设备信息' },
  { key: DeviceTab.subDevices, label: '子设备', only: DeviceType.gateway },
  { key: DeviceTab.credentials, label: '密钥' },
  { key: DeviceTab.topics, label: 'Topic' },
  { key: DeviceTab.groups, label: '分组' },
]

export const tabsOf = (deviceType: number): { key: DeviceTab; label: string }[] =>
  order.filter(({ only }) => only === undefined || only === deviceType).map(({ key, label }) => ({ key, label }))

/** screens.md 6: an unknown key, or one that this device lacks, opens the first tab. */
export const tabOf = (key: string | undefined, deviceType: number): DeviceTab =>
  tabsOf(deviceType).find((tab) => String(tab.key) === key)?.key ?? DeviceTab.info
