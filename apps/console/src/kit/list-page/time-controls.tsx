/** The controls of the query form that bring the calendar along: loaded only where a list asks for a time. */
import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import type { CSSProperties } from 'react'
import { isPreset, parseTimeChoice, timeChoiceText } from '#kit/time-choice.ts'
import { TimeFilter } from '#kit/time-filter.tsx'

export interface TimeControlProps {
  id: string
  value: string | undefined
  onChange: (value: string | undefined) => void
  /** Presets and a range, or a range alone. */
  presets: boolean
  allowClear: boolean
  style: CSSProperties
}

export function TimeControl({ id, value, onChange, presets, allowClear, style }: TimeControlProps) {
  const choice = value ? parseTimeChoice(value) : undefined
  if (presets)
    return (
      <TimeFilter
        value={choice}
        allowClear={allowClear}
        onChange={(picked) => onChange(picked && timeChoiceText(picked))}
      />
    )
  const range = choice && !isPreset(choice) ? choice : undefined
  return (
    <DatePicker.RangePicker
      id={id}
      style={style}
      showTime={{ defaultValue: [dayjs().startOf('day'), dayjs().endOf('day')] }}
      value={range ? [dayjs(Number(range.timeStart)), dayjs(Number(range.timeEnd))] : null}
      onChange={(days) => {
        const [from, to] = days ?? []
        onChange(from && to ? `${from.valueOf()}~${to.valueOf()}` : undefined)
      }}
    />
  )
}
