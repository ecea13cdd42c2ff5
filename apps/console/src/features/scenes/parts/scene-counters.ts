import type { DataOf } from '@ithings/contract/endpoint.ts'
import { type countScenes, SceneStatus } from '@ithings/contract/features/scenes/info.ts'
import { t } from '@ithings/contract/text.ts'
import type { ListCounter } from '#kit/list-page/list-contract.ts'

type Count = DataOf<typeof countScenes>

/** "较昨日 +6%"; without a yesterday there is nothing to compare with. */
export function changeText(now: number, before: number): string {
  if (before === 0) return ''
  const percent = Math.round(((now - before) / before) * 100)
  return t('较前一日 {change}%', { change: percent > 0 ? `+${percent}` : percent })
}

/** screens.md 10: the first two are filters, the others only tell. */
export const sceneCounters = (count: Count | undefined): ListCounter[] => [
  { key: 'all', label: t('全部'), value: count?.total, filter: {} },
  { key: 'enabled', label: t('已启用'), value: count?.enabled, filter: { status: String(SceneStatus.enabled) } },
  {
    key: 'fired',
    label: t('24 小时触发'),
    value: count?.fired,
    hint: count && changeText(count.fired, count.firedBefore),
  },
  {
    key: 'failed',
    // Short enough for a third of a phone.
    label: t('24 小时失败'),
    value: count?.failed,
    ...(count &&
      count.failed > 0 && {
        tone: 'error' as const,
        hint: t('涉及 {count} 个场景', { count: count.failedScenes }),
      }),
  },
  {
    key: 'p99',
    label: t('触发到下发 p99'),
    value: count && count.actionP99 >= 0 ? Math.round(count.actionP99) : undefined,
    hint: count && count.actionP99 >= 0 ? t('毫秒') : count && t('近 24 小时没有执行'),
  },
]
