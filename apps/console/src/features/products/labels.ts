/** Choices of products; the words are the contract's. */
import {
  authModeLabels,
  autoRegisterLabels,
  dataProtoLabels,
  dialectLabels,
  logRetentionDays,
  netTypeLabels,
} from '@ithings/contract/features/products.ts'
import { t } from '@ithings/contract/text.ts'

/** Numbered labels in their order, as the options of a select. */
const optionsOf = (labels: Readonly<Record<number, string>>) =>
  Object.entries(labels).map(([value, label]) => ({ value: Number(value), label }))

export const netTypeOptions = optionsOf(netTypeLabels)
export const authModeOptions = optionsOf(authModeLabels)
export const dataProtoOptions = optionsOf(dataProtoLabels)
export const autoRegisterOptions = optionsOf(autoRegisterLabels)
export const dialectOptions = optionsOf(dialectLabels)

export const logDayOptions = () =>
  logRetentionDays.map((count) => ({ value: count, label: t('{count} 天', { count }) }))

export const autoCreateWarning = '持有产品密钥的任何设备都能自行注册并出现在设备列表中，请妥善保管产品密钥。'
