import { t } from '@ithings/contract/text.ts'
import type { FilterField } from '#kit/list-page/list-contract.ts'
import { describeTimeChoice, parseTimeChoice, type TimeChoice, TimePreset, timeChoiceText } from '#kit/time-choice.ts'
import { TimeFilter } from '#kit/time-filter.tsx'
import { rangeOf } from './history-plan.ts'

/** The last seven days unless somebody chooses otherwise. */
const usual = String(TimePreset.week)
const choiceOf = (text: string | undefined): TimeChoice => parseTimeChoice(text ?? usual) ?? { preset: TimePreset.week }

/** Presets and a range that reaches as far back as values are kept. */
export const timeField = (days: number): FilterField => ({
  name: 'time',
  label: t('时间'),
  control: 'custom',
  width: 700,
  initial: usual,
  describe: (text) => describeTimeChoice(choiceOf(text)),
  render: ({ value, onChange }) => (
    <TimeFilter
      value={choiceOf(value)}
      maxDays={days}
      onChange={(choice) => onChange(choice && timeChoiceText(choice))}
    />
  ),
})

/** Worked out at each read: presets move with the clock. */
export function rangeOfText(text: string | undefined, now: number = Date.now()) {
  const { from, to } = rangeOf(choiceOf(text), now)
  return { timeStart: from, timeEnd: to }
}
