import { OtaTaskStatus, otaTaskStatusLabels } from '@ithings/contract/features/ota/states.ts'
import type { ListCounter } from '#kit/list-page/list-contract.ts'
import type { StatusTone } from '#kit/status-tag.tsx'

const tones: Record<OtaTaskStatus, StatusTone> = { 1: 'default', 2: 'processing', 3: 'success', 4: 'default' }

/** screens.md 22: the strip above the list; each figure filters. */
export function taskCounters(counts: Readonly<Record<string, number>> | undefined): ListCounter[] {
  const states = Object.values(OtaTaskStatus)
  return [
    {
      key: 'all',
      label: '全部任务',
      value: counts && states.reduce((sum, status) => sum + (counts[status] ?? 0), 0),
      filter: {},
    },
    ...states.map((status) => ({
      key: String(status),
      label: otaTaskStatusLabels[status],
      value: counts && (counts[status] ?? 0),
      tone: tones[status],
      ring: status === OtaTaskStatus.waiting,
      filter: { status: String(status) },
    })),
  ]
}
