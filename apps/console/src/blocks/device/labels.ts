import { type Device, LogLevel, logLevelLabels } from '@ithings/contract/features/devices/info.ts'
import { t } from '@ithings/contract/text.ts'
import type { StatusLooks } from '#kit/status-tag.tsx'

export const logLevelOptions = Object.values(LogLevel).map((value) => ({ value, label: logLevelLabels[value] }))

/** 1 yes, 2 no: whether the device may connect. */
export const deviceEnabledLooks: StatusLooks = {
  1: { text: '启用', tone: 'success' },
  2: { text: '禁用', tone: 'error' },
}
export const deviceEnabledOptions = [
  { value: 1, label: '启用' },
  { value: 2, label: '禁用' },
]

/** 朝阳北路 7 号泵站（PS-CY-0007）: how dialogs name a device. */
export const deviceTitle = ({ deviceName, deviceAlias }: Pick<Device, 'deviceName' | 'deviceAlias'>): string =>
  deviceAlias ? t('{deviceAlias}（{deviceName}）', { deviceAlias, deviceName }) : deviceName

export const deviceKeyOf = ({ productID, deviceName }: Pick<Device, 'productID' | 'deviceName'>): string =>
  `${productID}/${deviceName}`

/** 0,0 lies in the sea: the platform's way to say that no position is known. */
export const hasPosition = ({ position }: Pick<Device, 'position'>): boolean =>
  position.longitude !== 0 || position.latitude !== 0
