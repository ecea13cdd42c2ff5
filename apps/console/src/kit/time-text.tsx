import { Tooltip } from 'antd'
import { useEffect, useState } from 'react'
import { formatTime, logFormat, relativePace, relativeTime, toMillis, type WireTime } from './time.ts'
import './parts.css'

export interface TimeTextProps {
  value: WireTime
  /** `exact`: the date and second; `log`: with milliseconds; default: relative, the exact time on hover. */
  mode?: 'relative' | 'exact' | 'log'
}

export function TimeText({ value, mode = 'relative' }: TimeTextProps) {
  if (toMillis(value) === undefined) return <span className="no-value">—</span>
  if (mode === 'relative') return <RelativeTime value={value} />
  const text = formatTime(value, mode === 'log' ? logFormat : undefined)
  return <time className="nowrap">{text}</time>
}

function RelativeTime({ value }: { value: WireTime }) {
  const [, repaint] = useState(0)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const plan = () => {
      timer = setTimeout(() => {
        repaint((n) => n + 1)
        plan()
      }, relativePace(value))
    }
    plan()
    return () => clearTimeout(timer)
  }, [value])
  return (
    <Tooltip title={formatTime(value)}>
      <time className="nowrap" dateTime={new Date(toMillis(value) ?? 0).toISOString()}>
        {relativeTime(value)}
      </time>
    </Tooltip>
  )
}
