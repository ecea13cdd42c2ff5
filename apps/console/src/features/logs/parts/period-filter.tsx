import type { FilterField } from '#kit/list-page/list-contract.ts'
import { parseTimeChoice, timeChoiceText } from '#kit/time-choice.ts'
import { TimeFilter } from '#kit/time-filter.tsx'
import { defaultPeriod, describePeriod } from '../log-period.ts'

/** Presets and a range that reaches as far back as the log is kept. */
export const periodFilter = (label: string, days: number): FilterField => ({
  name: 'time',
  label,
  control: 'custom',
  atOnce: true,
  width: 700,
  initial: defaultPeriod,
  describe: describePeriod,
  render: ({ value, onChange }) => (
    <TimeFilter
      value={parseTimeChoice(value ?? defaultPeriod)}
      maxDays={days}
      onChange={(choice) => onChange(choice && timeChoiceText(choice))}
    />
  ),
})
