import { t } from '@ithings/contract/text.ts'
import dayjs from 'dayjs'

// spec 3: time range filter. The numbers are on the wire of saved links, so they stay.
export const TimePreset = { halfHour: 0, hour: 1, today: 2, yesterday: 3, week: 4 } as const
export type TimePreset = (typeof TimePreset)[keyof typeof TimePreset]
export const timePresetLabels: Record<TimePreset, string> = {
  0: '30分钟',
  1: '1小时',
  2: '今天',
  3: '昨天',
  4: '近7天',
}
export const timePresets: readonly TimePreset[] = [0, 1, 2, 3, 4]

/** Milliseconds as digit strings; an end of "0" means now. */
export interface TimeRange {
  timeStart: string
  timeEnd: string
}
export type TimeChoice = { preset: TimePreset } | TimeRange

export const isPreset = (choice: TimeChoice): choice is { preset: TimePreset } => 'preset' in choice

const minute = 60_000

function presetStart(preset: TimePreset, now: number): number {
  switch (preset) {
    case TimePreset.halfHour:
      return now - 30 * minute
    case TimePreset.hour:
      return now - 60 * minute
    case TimePreset.today:
      return dayjs(now).startOf('day').valueOf()
    case TimePreset.yesterday:
      return dayjs(now).subtract(1, 'day').startOf('day').valueOf()
    case TimePreset.week:
      return now - 7 * 24 * 60 * minute
  }
}

/**
 * What to ask the server for. Call it at each read: a preset moves with the clock and ends "0" (now) except 昨天,
 * while a range somebody picked never changes under automatic refresh (screens.md 0.3).
 */
export function resolveTime(choice: TimeChoice, now: number = Date.now()): TimeRange {
  if (!isPreset(choice)) return choice
  const timeStart = String(presetStart(choice.preset, now))
  const timeEnd = choice.preset === TimePreset.yesterday ? String(dayjs(now).startOf('day').valueOf() - 1) : '0'
  return { timeStart, timeEnd }
}

/** A choice as one URL value: `2` for a preset, `start~end` for a range. */
export const timeChoiceText = (choice: TimeChoice): string =>
  isPreset(choice) ? String(choice.preset) : `${choice.timeStart}~${choice.timeEnd}`

export function parseTimeChoice(text: string): TimeChoice | undefined {
  const preset = timePresets.find((one) => String(one) === text)
  if (preset !== undefined) return { preset }
  const range = /^(\d{1,15})~(\d{1,15})$/.exec(text)
  return range?.[1] && range[2] ? { timeStart: range[1], timeEnd: range[2] } : undefined
}

/** For filter tags: the preset's name or both ends. */
export function describeTimeChoice(choice: TimeChoice): string {
  if (isPreset(choice)) return t(timePresetLabels[choice.preset])
  const part = (text: string) => dayjs(Number(text)).format('MM-DD HH:mm')
  return t('{start} 至 {end}', {
    start: part(choice.timeStart),
    end: choice.timeEnd === '0' ? t('现在') : part(choice.timeEnd),
  })
}
