/** How finely a range is summed up (screens.md 6.4 统计周期). Pure. */
import { dayMs, hourMs, minuteMs } from '@ithings/contract/durations.ts'
import { t } from '@ithings/contract/text.ts'

const second = 1000

export const rawInterval = 'raw'
export const autoInterval = 'auto'

const steps: readonly { ms: number; label: string }[] = [
  { ms: second, label: '1 秒' },
  { ms: 5 * second, label: '5 秒' },
  { ms: 10 * second, label: '10 秒' },
  { ms: 30 * second, label: '30 秒' },
  { ms: minuteMs, label: '1 分钟' },
  { ms: 5 * minuteMs, label: '5 分钟' },
  { ms: 15 * minuteMs, label: '15 分钟' },
  { ms: 30 * minuteMs, label: '30 分钟' },
  { ms: hourMs, label: '1 小时' },
  { ms: 6 * hourMs, label: '6 小时' },
  { ms: dayMs, label: '1 天' },
  { ms: 7 * dayMs, label: '1 周' },
]

const stepLabel = (ms: number) => steps.find((step) => step.ms === ms)?.label

/** What people choose from; the finer ones are for the automatic choice. */
export const intervalOptions: readonly { value: string; label: string }[] = [
  { value: autoInterval, label: '自动' },
  { value: rawInterval, label: '原始' },
  ...[minuteMs, 5 * minuteMs, 15 * minuteMs, hourMs, dayMs].map((ms) => ({
    value: String(ms),
    label: stepLabel(ms) ?? '',
  })),
]

export function intervalLabel(ms: number): string {
  const label = stepLabel(ms)
  return label === undefined ? t('{count} 秒', { count: Math.round(ms / second) }) : t(label)
}

/** A line of this many points is as fine as a screen can show. */
const goodPoints = 360
/** decisions.md 2 "Paging": at most 10,000 rows a call. */
export const maxRows = 10_000

export interface ChosenInterval {
  /** Milliseconds of a bucket; 0: the values as they came. */
  ms: number
  /** The choice would have given more rows than one answer holds, so a coarser one was taken. */
  coarser: boolean
}

/**
 * @param lines how many lines share the rows of one answer
 * @param pause how far apart the values lie: the automatic choice is never finer
 */
export function chooseInterval(choice: string, range: number, lines: number, pause = 0): ChosenInterval {
  if (choice === rawInterval) return { ms: 0, coarser: false }
  const fits = (ms: number, points: number) => range / ms <= points
  const last = steps.at(-1)?.ms ?? dayMs
  const asked = Number(choice)
  const auto = choice === autoInterval || !steps.some(({ ms }) => ms === asked)
  const wanted = auto ? (steps.find(({ ms }) => ms >= pause && fits(ms, goodPoints))?.ms ?? last) : asked
  const room = Math.floor(maxRows / Math.max(1, lines))
  const ms = steps.find((step) => step.ms >= wanted && fits(step.ms, room))?.ms ?? last
  return { ms, coarser: !auto && ms !== wanted }
}
