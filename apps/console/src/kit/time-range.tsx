/** The calendar weighs more than most screens: whoever shows it loads it as a part of its own. */
import { DatePicker } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import type { ComponentProps } from 'react'
import { isPreset, type TimeChoice } from './time-choice.ts'

type Picker = ComponentProps<typeof DatePicker.RangePicker>

export interface TimeRangeProps extends Pick<Picker, 'id' | 'style' | 'showTime' | 'allowClear' | 'disabledDate'> {
  /** A preset is no range: both ends are empty. */
  value: TimeChoice | undefined
  onChange: (choice: TimeChoice | undefined) => void
  /** Somebody has just asked for it. */
  opened?: boolean
}

const daysOf = (choice: TimeChoice | undefined): [Dayjs, Dayjs] | null =>
  choice && !isPreset(choice)
    ? [dayjs(Number(choice.timeStart)), choice.timeEnd === '0' ? dayjs() : dayjs(Number(choice.timeEnd))]
    : null

export const TimeRange = ({ value, onChange, opened = false, ...props }: TimeRangeProps) => (
  <DatePicker.RangePicker
    showTime
    format="YYYY-MM-DD HH:mm:ss"
    {...props}
    autoFocus={opened}
    defaultOpen={opened}
    value={daysOf(value)}
    onChange={(days) => {
      const [from, to] = days ?? []
      onChange(from && to ? { timeStart: String(from.valueOf()), timeEnd: String(to.valueOf()) } : undefined)
    }}
  />
)
