import { OtaStatus } from '@ithings/contract/features/ota/states.ts'
import type { OtaTask } from '@ithings/contract/features/ota/task.ts'
import { StatusTag } from '#kit/status-tag.tsx'
import { isTaskOpen } from '../../labels.ts'
import { countOf, type HaltGauge, haltGauge, percentText } from '../../progress.ts'
import './side.css'

const radius = 76
const stroke = 14

/** A point of the half circle; 0 is its left end, 1 its right. */
const point = (share: number, r = radius) => {
  const angle = Math.PI * (1 - share)
  return `${100 + r * Math.cos(angle)} ${96 - r * Math.sin(angle)}`
}
const arc = (from: number, to: number) => `M ${point(from)} A ${radius} ${radius} 0 0 1 ${point(to)}`

function Dial({ gauge }: { gauge: HaltGauge }) {
  // The threshold stands in the middle, so that being near is seen on both sides of it.
  const most = Math.min(100, gauge.threshold * 2)
  const at = Math.min(1, gauge.rate / most)
  const mark = gauge.threshold / most
  return (
    <svg viewBox="0 0 200 124" className={`gauge gauge-${gauge.tone}`} role="img" aria-label={spoken(gauge)}>
      <path d={arc(0, mark)} className="gauge-track" strokeWidth={stroke} fill="none" />
      <path d={arc(mark, 1)} className="gauge-danger" strokeWidth={stroke} fill="none" />
      {at > 0 && <path d={arc(0, at)} className="gauge-value" strokeWidth={stroke} fill="none" />}
      <path d={`M ${point(mark, radius - 10)} L ${point(mark, radius + 12)}`} className="gauge-mark" strokeWidth="2" />
      <text x="100" y="84" className="gauge-rate">
        {percentText(gauge.rate)}
      </text>
      <text x="100" y="106" className="gauge-small">
        失败 {gauge.failed} / 已完成 {gauge.ended}
      </text>
      <text x="24" y="116" className="gauge-small">
        0
      </text>
      <text x="176" y="116" className="gauge-small">
        {most}%
      </text>
    </svg>
  )
}

const spoken = ({ rate, threshold }: HaltGauge) => `失败率 ${percentText(rate)}，阈值 ${threshold}%`

/** How near the stage at work is to stopping by itself (look.md "Progress"). */
export function HaltCard({ task }: { task: OtaTask }) {
  const stage = task.stages[task.stage]
  const forced = task.forced === task.stage
  const gauge = stage && haltGauge(stage, forced)
  const open = isTaskOpen(task)
  // When everybody has been pushed there is nothing left to halt.
  const halting = open && countOf(task.counts, OtaStatus.waiting) > 0
  return (
    <section className="detail-card halt-card column">
      <header className="detail-head">
        <h2>熔断阈值</h2>
        {gauge && <span className="meta">{gauge.threshold}%</span>}
        {open && gauge?.tone === 'near' && (
          // Beyond it but not halted: too few have an end to judge by.
          <StatusTag
            filled
            text={`${gauge.rate >= gauge.threshold ? '超过' : '接近'} ${gauge.threshold}%`}
            tone="warning"
          />
        )}
        {open && gauge?.tone === 'over' && <StatusTag filled text="已达到" tone="error" />}
      </header>
      {gauge ? (
        <>
          <Dial gauge={gauge} />
          {open && forced && <p className="halt-left">已强制继续，本阶段不再自动停止</p>}
          {halting && gauge.left !== undefined && gauge.left > 0 && (
            <p className="halt-left">
              再失败 <b>{gauge.left.toLocaleString()}</b> 台将自动停止任务
            </p>
          )}
        </>
      ) : (
        <p className="halt-none">没有设置失败率阈值，失败再多也不会自动停止。</p>
      )}
    </section>
  )
}
