import { sparkPath, type Trend } from './trend.ts'

const size = { width: 96, height: 28 }
const margin = 3

/** A day of a value in the corner of its card; the page of the history has the real chart. */
export function Spark({ trend, label }: { trend: Trend | undefined; label: string }) {
  if (!trend || trend.length < 2) return <span className="spark" aria-hidden="true" />
  return (
    <svg
      className="spark"
      viewBox={`${-margin} ${-margin} ${size.width + 2 * margin} ${size.height + 2 * margin}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}近 24 小时的趋势`}
    >
      <path d={sparkPath(trend, size, Date.now())} />
    </svg>
  )
}
