import { OtaStatus, otaStatusLabels, type OtaStatus as Status } from '@ithings/contract/features/ota/states.ts'
import type { OtaTask } from '@ithings/contract/features/ota/task.ts'
import { t } from '@ithings/contract/text.ts'
import { Segmented } from 'antd'
import { numberText } from '#kit/number-text.ts'
import { isTaskOpen } from '../../labels.ts'
import { type Counts, countOf, type FunnelStep, funnelOf, percentText, stageNo, totalOf } from '../../progress.ts'
import { type DetailFilter, stageShown } from './detail-filter.ts'

interface FunnelProps {
  task: OtaTask
  filter: DetailFilter
  onFilter: (patch: Partial<DetailFilter>) => void
}

const height = 76
const stepWidth = 200
const gap = 52
const drawnWidth = 4 * stepWidth + 3 * gap

const shade = (percent: number) => `color-mix(in srgb, var(--chart-1) ${percent}%, var(--container))`
/** Darker with every step, and green at the end. */
const fills = [shade(16), shade(36), shade(72), 'var(--ok-dot)']

/** Height = devices that reached the step; between two steps the loss is a slope. */
function Shape({ counts }: { counts: Counts }) {
  const steps = funnelOf(counts)
  const top = (percent: number) => height - (percent / 100) * height
  return (
    <svg
      className="wide block"
      style={{ height: 76 }}
      viewBox={`0 0 ${drawnWidth} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {steps.map((step, index) => {
        const x = index * (stepWidth + gap)
        const next = steps[index + 1]
        return (
          <g key={step.status} fill={fills[index]}>
            <rect x={x} y={top(step.percent)} width={stepWidth} height={height - top(step.percent)} />
            {next && (
              <polygon
                opacity="0.35"
                points={`${x + stepWidth},${top(step.percent)} ${x + stepWidth + gap},${top(next.percent)} ${x + stepWidth + gap},${height} ${x + stepWidth},${height}`}
              />
            )}
          </g>
        )
      })}
      <line x1="0" x2={drawnWidth} y1={height - 0.5} y2={height - 0.5} stroke="var(--border)" />
    </svg>
  )
}

const aside = [OtaStatus.failed, OtaStatus.higher, OtaStatus.cancelled] as const

/** The stage at work, or all of the task; funnel and table follow. */
function ScopeSwitch({ task, filter, onFilter }: FunnelProps) {
  const stage = task.stages[task.stage]
  if (!stage || task.stages.length < 2) return null
  const name = isTaskOpen(task) ? t('本阶段') : t('阶段 {stageNo}', { stageNo: stageNo(task.stages, task.stage) })
  return (
    <Segmented<'stage' | 'all'>
      size="small"
      aria-label={t('范围', { context: 'target' })}
      value={stageShown(task, filter) === undefined ? 'all' : 'stage'}
      options={[
        { value: 'stage', label: `${name} ${numberText(stage.devices)}` },
        { value: 'all', label: t('全部 {total, number}', { total: totalOf(task.counts) }) },
      ]}
      onChange={(scope) => onFilter({ scope })}
    />
  )
}

/** The way of the devices, and beside it those that left it; a click filters the table (look.md "Progress"). */
export function Funnel({ task, filter, onFilter }: FunnelProps) {
  const stage = stageShown(task, filter)
  const counts = (stage !== undefined && task.stages[stage]?.counts) || task.counts
  const steps = funnelOf(counts)
  const { status } = filter
  const pick = (wanted: Status) => onFilter({ status: status === wanted ? undefined : wanted, reason: '' })
  const noteOf = ({ reached, percent }: FunnelStep, index: number) => {
    if (index === 0) return t('目标 {reached, number}', { reached })
    const share = percentText(percent)
    return index === steps.length - 1
      ? t('占 {share}', { share })
      : t('到达 {reached, number} · {share}', { reached, share })
  }
  return (
    <section className="sheet pad-16 funnel column">
      <header className="detail-head below-12 gap-4-8 row wrap">
        <h2 className="subtitle">{t('升级漏斗')}</h2>
        <span className="meta">{t('高度为到达该步的设备数')}</span>
        <span className="funnel-aside inline-row wrap to-end gap-4">
          {aside.map((code) => (
            <button
              key={code}
              type="button"
              className={`plain-button funnel-left softer size-13 funnel-left-${code}`}
              aria-pressed={status === code}
              disabled={countOf(counts, code) === 0}
              onClick={() => pick(code)}
            >
              {t(otaStatusLabels[code])} <b>{numberText(countOf(counts, code))}</b>
            </button>
          ))}
          <ScopeSwitch task={task} filter={filter} onFilter={onFilter} />
        </span>
      </header>
      <div className="funnel-steps grid below-4">
        {steps.map((step, index) => (
          <button
            key={step.status}
            type="button"
            className="plain-button funnel-figure"
            aria-pressed={status === step.status}
            onClick={() => pick(step.status)}
          >
            <span className="block size-13 softer">{t(otaStatusLabels[step.status])}</span>
            <span className={`funnel-number flex wrap baseline funnel-number-${step.status}`}>
              <b>{numberText(step.here)}</b>
              <span className="meta">{noteOf(step, index)}</span>
            </span>
          </button>
        ))}
      </div>
      <Shape counts={counts} />
    </section>
  )
}
