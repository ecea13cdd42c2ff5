/** look.md "Alarm levels": an alarm level is always a five-bar signal glyph plus the word, in the colour of the level. */
import { alarmLevelLabels, alarmLevels } from '@ithings/contract/features/alarms/config.ts'
import { Radio } from 'antd'
import type { CSSProperties, ReactNode } from 'react'
import { labelOf } from '#kit/status-tag.tsx'
import './alarm-level.css'
import './apart-buttons.css'

const bars = [1, 2, 3, 4, 5]

/** A level that this console does not know has its own grey, never a crash (screens.md 0.1). */
const colorsOf = (level: number) => {
  const known = alarmLevels.some((one) => one === level)
  return {
    '--level': known ? `var(--level-${level})` : 'var(--tertiary)',
    '--level-fill': known ? `var(--level-${level}-fill)` : 'var(--disabled)',
  } as CSSProperties
}

/** The glyph alone: where the word stands beside it anyway. */
export const AlarmBars = ({ level }: { level: number }) => (
  <svg className="alarm-bars fixed" style={colorsOf(level)} viewBox="0 0 16 12" aria-hidden="true">
    {bars.map((bar) => (
      <rect
        key={bar}
        className={bar <= level ? 'alarm-bar-on' : ''}
        x={(bar - 1) * 3.2}
        y={10 - bar * 2}
        width={2.4}
        height={2 + bar * 2}
        rx={0.8}
      />
    ))}
  </svg>
)

interface AlarmLevelMarkProps {
  level: number
  /** On its own tint, as headers show it. */
  filled?: boolean
  /** Instead of the word of the level. */
  children?: ReactNode
}

export const AlarmLevelMark = ({ level, filled = false, children }: AlarmLevelMarkProps) => (
  <span
    className={`alarm-level inline-row nowrap gap-6${filled ? ' alarm-level-filled pad-x-8 round-4 bold small' : ''}`}
    style={colorsOf(level)}
  >
    <AlarmBars level={level} />
    {children ?? labelOf(alarmLevelLabels, level)}
  </span>
)

export const LevelChoice = ({ value, onChange }: { value?: number; onChange?: (level: number) => void }) => (
  <Radio.Group
    className="level-swatches apart-buttons flex wrap gap-8"
    value={value}
    onChange={(event) => onChange?.(Number(event.target.value))}
    options={alarmLevels.map((level) => ({ value: level, label: <AlarmLevelMark level={level} /> }))}
    optionType="button"
  />
)
