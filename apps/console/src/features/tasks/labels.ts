import { deployStatusLabels } from '@ithings/contract/features/tasks.ts'
import { looksOf } from '#blocks/rollout/words.ts'

/** spec 4: default, processing, success, error. */
export const deployLooks = looksOf(deployStatusLabels, { 1: 'default', 2: 'processing', 3: 'success', 4: 'error' })

export const triggerLabels: Record<string, string> = { manual: '手动', timer: '定时' }

/** screens.md 7.1 离线策略. */
export const offlineLabels: Record<number, string> = { 0: '自动写影子', 1: '离线即失败', 2: '只写影子' }
export const offlineHints: Record<number, string> = {
  0: '在线的实时下发，离线的写入影子',
  1: '离线的设备记为失败，可以之后重试',
  2: '不打扰设备，只写影子，等它来取',
}
