import { OtaStatus, otaStatusLabels } from '@ithings/contract/features/ota/states.ts'
import { type ProgressPart, StackedProgress } from '#blocks/stacked-progress.tsx'
import { type Counts, countOf, endedOf, percentText, successRate, totalOf } from '../../progress.ts'

const tones: [OtaStatus, ProgressPart['tone']][] = [
  [OtaStatus.success, 'success'],
  [OtaStatus.failed, 'error'],
  [OtaStatus.higher, 'warning'],
  [OtaStatus.updating, 'processing'],
  [OtaStatus.pushed, 'pushed'],
]

/** look.md "Progress": success, failed, running, pushed; what is left has not begun or was cancelled. */
export const barParts = (counts: Counts): ProgressPart[] =>
  tones.map(([status, tone]) => ({ label: otaStatusLabels[status], value: countOf(counts, status), tone }))

/** The progress of a task in one cell: the bar by codes, and how good it is. */
export function TaskBar({ counts, total, away }: { counts: Counts; total: number; away: number }) {
  const whole = Math.max(total, totalOf(counts))
  if (whole === 0) return <span className="no-value">还没有设备</span>
  const rate = successRate(counts)
  const failed = countOf(counts, OtaStatus.failed)
  return (
    <span className="task-bar wide gap-4">
      <StackedProgress parts={barParts(counts)} total={whole} label="升级进度" />
      <span className="task-bar-text small gap-12">
        <span>
          {endedOf(counts).toLocaleString()} / {whole.toLocaleString()}
        </span>
        {failed > 0 && <span className="task-bar-failed">失败 {failed.toLocaleString()}</span>}
        {away > 0 && <span className="task-bar-away">{away.toLocaleString()} 台离线</span>}
        {rate !== undefined && <span className="meta">成功率 {percentText(rate)}</span>}
      </span>
    </span>
  )
}
