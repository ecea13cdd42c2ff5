import { type ChannelStatus, DeliveryState, deliveryStateLabels } from '@ithings/contract/features/notify.ts'
import { channelTypeLabels, channelTypes } from '@ithings/contract/rules/channel-types.ts'
import type { StatusLooks } from '#kit/status-tag.tsx'

/** A waiting one that failed before says so by its error beside it. */
export const deliveryLooks: StatusLooks = {
  [DeliveryState.waiting]: { text: deliveryStateLabels[DeliveryState.waiting], tone: 'processing' },
  [DeliveryState.sent]: { text: deliveryStateLabels[DeliveryState.sent], tone: 'success' },
  [DeliveryState.failed]: { text: deliveryStateLabels[DeliveryState.failed], tone: 'error' },
}

export const deliveryStateOptions = Object.values(DeliveryState).map((value) => ({
  value,
  label: deliveryStateLabels[value],
}))

export const channelTypeOptions = channelTypes.map((value) => ({ value, label: channelTypeLabels[value] }))

export const channelStatusLabels: Record<ChannelStatus, string> = { 1: '启用', 2: '禁用' }
export const sourceLabels: Record<string, string> = { scene: '场景', alarm: '告警', report: '报表', test: '测试' }
export const sourceOptions = Object.entries(sourceLabels).map(([value, label]) => ({ value, label }))
