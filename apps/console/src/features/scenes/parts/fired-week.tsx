import { numbered } from '#kit/numbered.ts'

const width = 6
const gap = 1.5
const height = 20
const days = 7

/** Seven bars, today on the right; a day without a firing is a thin line. */
export function FiredWeek({ firedByDay }: { firedByDay: readonly number[] }) {
  const week = Array.from({ length: days }, (_, at) => firedByDay[firedByDay.length - days + at] ?? 0)
  const total = week.reduce((sum, fired) => sum + fired, 0)
  const most = Math.max(1, ...week)
  return (
    <span
      className="fired-week inline-row gap-8"
      title={`近 7 天（今天在右）：${week.map((fired) => fired.toLocaleString()).join('、')}`}
    >
      <svg viewBox={`0 0 ${days * (width + gap)} ${height}`} aria-hidden="true">
        {numbered(week).map(({ no, item: fired }) => {
          const tall = fired === 0 ? 1 : Math.max(2, (fired / most) * height)
          const tone = fired === 0 ? 'fired-none' : 'fired-bar'
          return <rect key={no} className={tone} x={no * (width + gap)} y={height - tall} width={width} height={tall} />
        })}
      </svg>
      {total.toLocaleString()}
    </span>
  )
}
