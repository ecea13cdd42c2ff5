import { OtaStatus, otaStatusLabels, type OtaStatus as Status } from '@ithings/contract/features/ota/states.ts'
import { type Counts, countOf, funnelOf, percentText } from '../../progress.ts'
import './funnel.css'

interface FunnelProps {
  counts: Counts
  /** Between the title and those that left. */
  scope?: React.ReactNode
  /** The status that the table is filtered by. */
  status: number | undefined
  onPick: (status: Status | undefined) => void
}

const height = 76
const stepWidth = 200
const gap = 52
const drawnWidth = 4 * stepWidth + 3 * gap

/** Height = devices that reached the step; between two steps the loss is a slope. */
function Shape({ counts }: { counts: Counts }) {
  const steps = funnelOf(counts)
  const top = (percent: number) => height - (percent / 100) * height
  return (
    <svg className="funnel-shape" viewBox={`0 0 ${drawnWidth} ${height}`} preserveAspectRatio="none" aria-hidden="true">
      {steps.map((step, index) => {
        const x = index * (stepWidth + gap)
        const next = steps[index + 1]
        return (
          <g key={step.status} className={`funnel-step-${step.status}`}>
            <rect x={x} y={top(step.percent)} width={stepWidth} height={height - top(step.percent)} />
            {next && (
              <polygon
                className="funnel-slope"
                points={`${x + stepWidth},${top(step.percent)} ${x + stepWidth + gap},${top(next.percent)} ${x + stepWidth + gap},${height} ${x + stepWidth},${height}`}
              />
            )}
          </g>
        )
      })}
      <line x1="0" x2={drawnWidth} y1={height - 0.5} y2={height - 0.5} className="funnel-ground" />
    </svg>
  )
}

const aside = [OtaStatus.failed, OtaStatus.higher, OtaStatus.cancelled] as const

/** The way of the devices, and beside it those that left it; a click filters the table (look.md "Progress"). */
export function Funnel({ counts, scope, status, onPick }: FunnelProps) {
  const steps = funnelOf(counts)
  const pick = (wanted: Status) => onPick(status === wanted ? undefined : wanted)
  return (
    <section className="detail-card funnel column">
      <header className="detail-head">
        <h2>升级漏斗</h2>
        <span className="meta">高度为到达该步的设备数</span>
        <span className="funnel-aside wrap to-end gap-4">
          {aside.map((code) => (
            <button
              key={code}
              type="button"
              className={`plain-button funnel-left funnel-left-${code}`}
              aria-pressed={status === code}
              disabled={countOf(counts, code) === 0}
              onClick={() => pick(code)}
            >
              {otaStatusLabels[code]} <b>{countOf(counts, code).toLocaleString()}</b>
            </button>
          ))}
          {scope}
        </span>
      </header>
      <div className="funnel-steps">
        {steps.map((step, index) => (
          <button
            key={step.status}
            type="button"
            className="plain-button funnel-figure"
            aria-pressed={status === step.status}
            onClick={() => pick(step.status)}
          >
            <span className="funnel-label">{otaStatusLabels[step.status]}</span>
            <span className={`funnel-number flex wrap baseline funnel-number-${step.status}`}>
              <b>{step.here.toLocaleString()}</b>
              <span className="meta">
                {index === 0
                  ? `目标 ${step.reached.toLocaleString()}`
                  : index === steps.length - 1
                    ? `占 ${percentText(step.percent)}`
                    : `到达 ${step.reached.toLocaleString()} · ${percentText(step.percent)}`}
              </span>
            </span>
          </button>
        ))}
      </div>
      <Shape counts={counts} />
    </section>
  )
}
