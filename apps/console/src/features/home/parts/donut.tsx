/** A ring of shares: the two rings of the fleet, and each cluster of the map. */

export interface DonutPart {
  key: string
  value: number
  colour: string
}

interface DonutProps {
  parts: readonly DonutPart[]
  /** Of the whole picture, in pixels. */
  size: number
  width: number
  /** Inside the ring. */
  fill?: string
}

/** Of a thousand, so that small shares are not lost by rounding. */
const whole = 1000

export function Donut({ parts, size, width, fill = 'none' }: DonutProps) {
  const total = parts.reduce((sum, { value }) => sum + value, 0)
  const shown = parts.filter(({ value }) => value > 0)
  const r = (size - width) / 2
  const gap = shown.length > 1 ? Math.min(6, whole / (Math.PI * size)) : 0
  let from = 0
  return (
    <svg className="home-donut block" width={size} height={size} viewBox={`0 0 ${size} ${size}`} aria-hidden="true">
      <circle cx={size / 2} cy={size / 2} r={r} fill={fill} stroke="var(--border)" strokeWidth={width} />
      {shown.map(({ key, value, colour }) => {
        const share = (value / total) * whole
        const start = from
        from += share
        return (
          <circle
            key={key}
            cx={size / 2}
            cy={size / 2}
            r={r}
            fill="none"
            stroke={colour}
            strokeWidth={width}
            pathLength={whole}
            strokeDasharray={`${Math.max(2, share - gap)} ${whole}`}
            strokeDashoffset={-start}
            transform={`rotate(-90 ${size / 2} ${size / 2})`}
          />
        )
      })}
    </svg>
  )
}
