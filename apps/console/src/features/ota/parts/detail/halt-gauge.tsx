import { OtaStatus } from '@ithings/contract/features/ota/states.ts'
import type { OtaTask } from '@ithings/contract/features/ota/task.ts'
import { t } from '@ithings/contract/text.ts'
import { RichText } from '#kit/rich-text.tsx'
import { StatusTag } from '#kit/status-tag.tsx'
import { isTaskOpen } from '../../labels.ts'
import { countOf, type HaltGauge, haltGauge, percentText } from '../../progress.ts'

const radius = 76
const stroke = 14

/** A point of the half circle; 0 is its left end, 1 its right. */
const point = (share: number, r = radius) => {
  const angle = Math.PI * (1 - share)
  return `${100 + r * Math.cos(angle)} ${96 - r * Math.sin(angle)}`
}
const arc = (from: number, to: number) => `M ${point(from)} A ${radius} ${radius} 0 0 1 ${point(to)}`

const colours: Record<HaltGauge['tone'], string> = {
  calm: 'var(--ok-dot)',
  near: 'var(--warning-dot)',
  over: 'var(--error-dot)',
}

function Dial({ gauge }: { gauge: HaltGauge }) {
  // The threshold stands in the middle, so that being near is seen on both sides of it.
  const most = Math.min(100, gauge.threshold * 2)
  const at = Math.min(1, gauge.rate / most)
  const mark = gauge.threshold / most
  return (
    <svg
      viewBox="0 0 200 124"
      className="gauge block fit"
      role="img"
      aria-label={spoken(gauge)}
      fill="none"
      strokeWidth={stroke}
    >
      <path d={arc(0, mark)} stroke="var(--fill)" />
      <path d={arc(mark, 1)} stroke="color-mix(in srgb, var(--error-dot) 26%, var(--container))" />
      {at > 0 && <path d={arc(0, at)} stroke={colours[gauge.tone]} />}
      <path d={`M ${point(mark, radius - 10)} L ${point(mark, radius + 12)}`} stroke="var(--error)" strokeWidth="2" />
      <text x="100" y="84" className="gauge-rate">
        {percentText(gauge.rate)}
      </text>
      <text x="100" y="106">
        {t('失败 {failed} / 已完成 {ended}', { failed: gauge.failed, ended: gauge.ended })}
      </text>
      <text x="24" y="116">
        0
      </text>
      <text x="176" y="116">
        {most}%
      </text>
    </svg>
  )
}

const spoken = ({ rate, threshold }: HaltGauge) =>
  t('失败率 {rate}，阈值 {threshold}%', { rate: percentText(rate), threshold })

/** How near the stage at work is to stopping by itself (look.md "Progress"). */
export function HaltCard({ task }: { task: OtaTask }) {
  const stage = task.stages[task.stage]
  const forced = task.forced === task.stage
  const gauge = stage && haltGauge(stage, forced)
  const open = isTaskOpen(task)
  // When everybody has been pushed there is nothing left to halt.
  const halting = open && countOf(task.counts, OtaStatus.waiting) > 0
  return (
    <section className="sheet pad-16 halt-card column">
      <header className="detail-head below-12 gap-4-8 row wrap">
        <h2 className="subtitle">{t('熔断阈值')}</h2>
        {gauge && <span className="meta">{gauge.threshold}%</span>}
        {open && gauge?.tone === 'near' && (
          // Beyond it but not halted: too few have an end to judge by.
          <StatusTag
            filled
            text={t(gauge.rate >= gauge.threshold ? '超过 {threshold}%' : '接近 {threshold}%', {
              threshold: gauge.threshold,
            })}
            tone="warning"
          />
        )}
        {open && gauge?.tone === 'over' && <StatusTag filled text={t('已达到')} tone="error" />}
      </header>
      {gauge ? (
        <>
          <Dial gauge={gauge} />
          {open && forced && <p className="side-note centered softer">{t('已强制继续，本阶段不再自动停止')}</p>}
          {halting && gauge.left !== undefined && gauge.left > 0 && (
            <p className="side-note centered softer">
              <RichText
                text={t('再失败 <0>{count, number}</0> 台将自动停止任务', { count: gauge.left })}
                parts={[<b key="left" className="tone-error" />]}
              />
            </p>
          )}
        </>
      ) : (
        <p className="side-note centered side-none quiet">{t('没有设置失败率阈值，失败再多也不会自动停止。')}</p>
      )}
    </section>
  )
}
