import { CalendarOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { Button, Segmented } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { lazy, Suspense, useState } from 'react'
import { isPreset, type TimeChoice, timePresetLabels, timePresets } from './time-choice.ts'
import './parts.css'

const load = () => import('./time-range.tsx')
const TimeRange = lazy(async () => ({ default: (await load()).TimeRange }))

const daysBack = 7

export interface TimeFilterProps {
  value?: TimeChoice | undefined
  onChange?: (choice: TimeChoice | undefined) => void
  /** Allow no choice at all; then the range can be cleared. */
  allowClear?: boolean
  /** How far back a range may reach; screens.md 0.3: 7 days. */
  maxDays?: number
}

/** Five presets (spec 3) and a date range that cannot leave the last days or reach into the future. */
export function TimeFilter({ value, onChange, allowClear = false, maxDays = daysBack }: TimeFilterProps) {
  const [wanted, setWanted] = useState(false)
  const preset = value && isPreset(value) ? value.preset : -1
  // Most people take a preset: the calendar comes when it is asked for, begun as soon as somebody is near the button.
  const ask = (
    <Button
      icon={<CalendarOutlined />}
      loading={wanted}
      onPointerEnter={() => void load()}
      onFocus={() => void load()}
      onClick={() => setWanted(true)}
    >
      {t('自定义')}
    </Button>
  )
  return (
    <span className="time-filter inline-row wrap gap-8">
      <Segmented
        aria-label={t('时间范围')}
        value={preset}
        options={timePresets.map((one) => ({ value: one, label: t(timePresetLabels[one]) }))}
        onChange={(picked) => {
          const chosen = timePresets.find((one) => one === picked)
          if (chosen !== undefined) onChange?.({ preset: chosen })
        }}
      />
      {wanted || (value && !isPreset(value)) ? (
        <Suspense fallback={ask}>
          <TimeRange
            opened={wanted}
            allowClear={allowClear}
            value={value}
            disabledDate={(day: Dayjs) => outside(day, maxDays)}
            onChange={(choice) => (choice || allowClear) && onChange?.(choice)}
          />
        </Suspense>
      ) : (
        ask
      )}
    </span>
  )
}

const outside = (day: Dayjs, maxDays: number) =>
  day.isAfter(dayjs().endOf('day')) || day.isBefore(dayjs().subtract(maxDays, 'day').startOf('day'))
