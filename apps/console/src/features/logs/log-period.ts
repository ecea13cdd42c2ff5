/** The time filter of both logs and what it sends. Pure. */
import type { BodyInput } from '@ithings/contract/endpoint.ts'
import type { listLoginLogs } from '@ithings/contract/features/logs.ts'
import { describeTimeChoice, parseTimeChoice, resolveTime, TimePreset } from '#kit/time-choice.ts'

type DateRange = NonNullable<BodyInput<typeof listLoginLogs>['dateRange']>

/** screens.md 16: the last 7 days unless somebody chooses otherwise. */
export const defaultPeriod = String(TimePreset.week)

/**
 * `dateRange` of the contract, exact to the millisecond. A preset that lasts until now has no end: what is written
 * while we look at the list belongs to it.
 */
export function dateRangeOf(text: string | undefined, now: number = Date.now()): DateRange {
  const choice = parseTimeChoice(text ?? defaultPeriod) ?? { preset: TimePreset.week }
  const { timeStart, timeEnd } = resolveTime(choice, now)
  return { start: timeStart, ...(timeEnd !== '0' && { end: timeEnd }) }
}

export function describePeriod(text: string | undefined): string {
  return describeTimeChoice(parseTimeChoice(text ?? defaultPeriod) ?? { preset: TimePreset.week })
}
