/** look.md "Progress": how far many devices are, as one bar of shares: success, failed, running, pushed, the rest. */
import { t } from '@ithings/contract/text.ts'
import './stacked-progress.css'
import { numberText } from '#kit/number-text.ts'

export interface ProgressPart {
  label: string
  value: number
  /** `pushed`: told, but not begun. */
  tone: 'success' | 'error' | 'warning' | 'processing' | 'pushed'
}

interface StackedProgressProps {
  parts: readonly ProgressPart[]
  /** What the parts do not fill has not begun. */
  total: number
  /** Stages are thicker. */
  thick?: boolean
  /** What the bar is about, for those who cannot see it. */
  label: string
}

export const progressText = (parts: readonly ProgressPart[], total: number): string =>
  [
    ...parts.filter(({ value }) => value > 0).map(({ label, value }) => `${t(label)} ${numberText(value)}`),
    t('共 {total, number}', { total }),
  ].join(t('，'))

export function StackedProgress({ parts, total, thick = false, label }: StackedProgressProps) {
  const shown = parts.filter(({ value }) => value > 0)
  const rest = Math.max(0, total - shown.reduce((sum, { value }) => sum + value, 0))
  return (
    <span
      className={
        thick
          ? 'stacked-progress clip grey-fill flex wide stacked-progress-thick'
          : 'stacked-progress clip grey-fill flex wide'
      }
      role="img"
      aria-label={t('{label}：{progress}', { label, progress: progressText(parts, total) })}
    >
      {shown.map((part) => (
        <span
          key={part.label}
          className={`stacked-part stacked-${part.tone}`}
          style={{ flexGrow: part.value }}
          title={`${t(part.label)} ${numberText(part.value)}`}
        />
      ))}
      {rest > 0 && <span className="stacked-rest" style={{ flexGrow: rest }} />}
    </span>
  )
}
