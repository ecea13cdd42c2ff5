/** Tabs of a device by the keys that old links use (screens.md 6). Pure. */
import { DeviceType } from '@ithings/contract/features/products.ts'

export const DeviceTab = {
  info: 1,
  diagnosis: 2,
  cloudLog: 3,
  localLog: 4,
  shadow: 5,
  debug: 6,
  subDevices: 7,
  credentials: 8,
  status: 9,
  data: 10,
  groups: 11,
  topics: 12,
  alarms: 13,
} as const
export type DeviceTab = (typeof DeviceTab)[keyof typeof DeviceTab]

const order: { key: DeviceTab; label: string; only?: DeviceType }[] = [
  { key: DeviceTab.info, label: '设备信息' },
  { key: DeviceTab.status, label: '设备状态' },
  { key: DeviceTab.data, label: '物模型数据' },
  { key: DeviceTab.shadow, label: '设备影子' },
  { key: DeviceTab.alarms, label: '告警' },
  { key: DeviceTab.debug, label: '在线调试' },
  { key: DeviceTab.diagnosis, label: '日志' },
  { key: DeviceTab.subDevices, label: '子设备', only: DeviceType.gateway },
  { key: DeviceTab.credentials, label: '密钥' },
  { key: DeviceTab.topics, label: 'Topic' },
  { key: DeviceTab.groups, label: '分组' },
]

export const tabsOf = (deviceType: number): { key: DeviceTab; label: string }[] =>
  order.filter(({ only }) => only === undefined || only === deviceType).map(({ key, label }) => ({ key, label }))

const logTabs: readonly DeviceTab[] = [DeviceTab.cloudLog, DeviceTab.localLog]

/** The keys of the logs begin one tab with different kinds. */
export const shownTab = (tab: DeviceTab): DeviceTab => (logTabs.includes(tab) ? DeviceTab.diagnosis : tab)

/** screens.md 6: an unknown key, or one that this device lacks, opens the first tab. */
export const tabOf = (key: string | undefined, deviceType: number): DeviceTab =>
  [...tabsOf(deviceType).map((tab) => tab.key), ...logTabs].find((tab) => String(tab) === key) ?? DeviceTab.info
