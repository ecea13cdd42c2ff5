import { secondsOf, type TimeUnit, timeUnitLabels, timeUnits } from '@ithings/contract/rules/time-units.ts'
import { t } from '@ithings/contract/text.ts'
import { InputNumber, Select, Space } from 'antd'
import { useState } from 'react'

interface DurationInputProps {
  label: string
  value: number | null
  unit: TimeUnit
  onChange: (value: number | null, unit: TimeUnit) => void
  placeholder?: string
}

/** A number and its unit, as the wire has them. */
export function DurationInput({ label, value, unit, onChange, placeholder }: DurationInputProps) {
  return (
    <Space.Compact className="scene-duration">
      <InputNumber
        aria-label={label}
        min={0}
        value={value}
        placeholder={placeholder}
        onChange={(next) => onChange(next, unit)}
      />
      <Select
        aria-label={t('{label}的单位', { label })}
        value={unit}
        options={timeUnits.map((value) => ({ value, label: t(timeUnitLabels[value]) }))}
        popupMatchSelectWidth={false}
        onChange={(next) => onChange(value, next)}
      />
    </Space.Compact>
  )
}

const largestUnit = (seconds: number): TimeUnit => {
  if (seconds > 0 && seconds % 3600 === 0) return 'hours'
  return seconds > 0 && seconds % 60 === 0 ? 'minutes' : 'seconds'
}

interface SecondsInputProps {
  label: string
  seconds: number | undefined
  onChange: (seconds: number | undefined) => void
  placeholder?: string
  /** To begin with, when there is no value. */
  unit?: TimeUnit
}

/** Seconds on the wire, in the unit that people think in. */
export function SecondsInput({ label, seconds, onChange, placeholder, unit: first = 'minutes' }: SecondsInputProps) {
  const [unit, setUnit] = useState<TimeUnit>(() => (seconds === undefined ? first : largestUnit(seconds)))
  const size = secondsOf({ value: 1, unit })
  return (
    <DurationInput
      label={label}
      value={seconds === undefined ? null : seconds / size}
      unit={unit}
      {...(placeholder !== undefined && { placeholder })}
      onChange={(value, next) => {
        setUnit(next)
        onChange(value === null ? undefined : Math.round(secondsOf({ value, unit: next })))
      }}
    />
  )
}
