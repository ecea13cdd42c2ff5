import { type Device, LogLevel, logLevelLabels } from '@ithings/contract/features/devices/info.ts'
import { t } from '@ithings/contract/text.ts'
import { labelOf, type StatusLooks } from '#kit/status-tag.tsx'

/** Chinese has one word for the verb and the state: the empty place tells that the state is meant. */
const asState = { state: '' }

/** Off is no button that closes, and a warning no alarm. */
export function logLevelText(level: number): string {
  if (level === LogLevel.off) return t('关闭{state}', asState)
  return level === LogLevel.warn ? t('告警', { context: 'level' }) : labelOf(logLevelLabels, level)
}

export const logLevelOptions = () => Object.values(LogLevel).map((value) => ({ value, label: logLevelText(value) }))

/** 1 yes, 2 no: whether the device may connect. */
export const deviceEnabledOptions = () => [
  { value: 1, label: t('启用{state}', asState) },
  { value: 2, label: t('禁用{state}', asState) },
]
export const deviceEnabledLooks = (): StatusLooks => ({
  1: { text: t('启用{state}', asState), tone: 'success' },
  2: { text: t('禁用{state}', asState), tone: 'error' },
})

/** 朝阳北路 7 号泵站（PS-CY-0007）: how dialogs name a device. */
export const deviceTitle = ({ deviceName, deviceAlias }: Pick<Device, 'deviceName' | 'deviceAlias'>): string =>
  deviceAlias ? t('{alias}（{name}）', { alias: deviceAlias, name: deviceName }) : deviceName

export const deviceKeyOf = ({ productID, deviceName }: Pick<Device, 'productID' | 'deviceName'>): string =>
  `${productID}/${deviceName}`

/** 0,0 lies in the sea: the platform's way to say that no position is known. */
export const hasPosition = ({ position }: Pick<Device, 'position'>): boolean =>
  position.longitude !== 0 || position.latitude !== 0
