import { DatePicker, Segmented } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { isPreset, type TimeChoice, timePresetLabels, timePresets } from './time-choice.ts'
import './parts.css'

const daysBack = 7

export interface TimeFilterProps {
  value?: TimeChoice | undefined
  onChange?: (choice: TimeChoice | undefined) => void
  /** Allow no choice at all; then the range can be cleared. */
  allowClear?: boolean
  /** How far back a range may reach; screens.md 0.3: 7 days. */
  maxDays?: number
}

const asDays = (choice: TimeChoice | undefined): [Dayjs, Dayjs] | null =>
  choice && !isPreset(choice)
    ? [dayjs(Number(choice.timeStart)), choice.timeEnd === '0' ? dayjs() : dayjs(Number(choice.timeEnd))]
    : null

/** Five presets (spec 3) and a date range that cannot leave the last days or reach into the future. */
export function TimeFilter({ value, onChange, allowClear = false, maxDays = daysBack }: TimeFilterProps) {
  const preset = value && isPreset(value) ? value.preset : -1
  return (
    <span className="time-filter">
      <Segmented
        aria-label="时间范围"
        value={preset}
        options={timePresets.map((one) => ({ value: one, label: timePresetLabels[one] }))}
        onChange={(picked) => {
          const chosen = timePresets.find((one) => one === picked)
          if (chosen !== undefined) onChange?.({ preset: chosen })
        }}
      />
      <DatePicker.RangePicker
        showTime
        format="YYYY-MM-DD HH:mm:ss"
        allowClear={allowClear}
        value={asDays(value)}
        disabledDate={(day) => outside(day, maxDays)}
        onChange={(days) => {
          const [from, to] = days ?? []
          if (from && to) onChange?.({ timeStart: String(from.valueOf()), timeEnd: String(to.valueOf()) })
          else if (allowClear) onChange?.(undefined)
        }}
      />
    </span>
  )
}

const outside = (day: Dayjs, maxDays: number) =>
  day.isAfter(dayjs().endOf('day')) || day.isBefore(dayjs().subtract(maxDays, 'day').startOf('day'))
