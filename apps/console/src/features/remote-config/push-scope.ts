/** Whom a push goes to, as the dialog asks for it (screens.md 20 "Push"). */

import type { BodyInput } from '@ithings/contract/endpoint.ts'
import type { previewConfigPush } from '@ithings/contract/features/remote-config.ts'
import { t } from '@ithings/contract/text.ts'

export type PushScope = 'all' | 'devices' | 'group' | 'missing'

export const pushScopes: { value: PushScope; label: string; help: string }[] = [
  { value: 'all', label: '全部设备', help: '产品的每一台设备；未结束的旧下发由这一次取代。' },
  { value: 'devices', label: '指定设备', help: '勾选、粘贴名称或上传文件。' },
  { value: 'group', label: '分组', help: '分组里属于这个产品的设备。' },
  { value: 'missing', label: '仅补发未送达', help: '还没有收到当前版本的设备。' },
]

export interface PushChoice {
  scope: PushScope
  deviceNames: string[]
  groupID: string | undefined
  includeChildren: boolean
}

export const firstChoice: PushChoice = { scope: 'all', deviceNames: [], groupID: undefined, includeChildren: true }

type Target = BodyInput<typeof previewConfigPush>

/** Undefined: something is still to be chosen. */
export function targetOf(productID: string, choice: PushChoice): Target | undefined {
  const { scope, deviceNames, groupID, includeChildren } = choice
  if (scope === 'all') return { productID }
  if (scope === 'missing') return { productID, onlyMissing: true }
  if (scope === 'devices') return deviceNames.length > 0 ? { productID, deviceNames } : undefined
  return groupID ? { productID, groupID, includeChildren } : undefined
}

/** How long the last device waits for its turn at this pace. */
export function durationText(devices: number, perMinute: number): string {
  const seconds = Math.ceil((devices / perMinute) * 60)
  if (seconds < 60) return t('约 {seconds} 秒', { seconds: Math.max(1, seconds) })
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60
    ? t('约 {count} 分钟', { count: minutes })
    : t('约 {hours} 小时 {minutes} 分钟', { hours: Math.floor(minutes / 60), minutes: minutes % 60 })
}
