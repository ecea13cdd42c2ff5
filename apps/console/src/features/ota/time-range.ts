import { resolveTime, type TimeChoice } from '#kit/time-choice.ts'

/** Seconds, as http-api.md 7 has them; an open end is left out. */
export function secondsRange(time: TimeChoice | undefined): { timeStart?: number; timeEnd?: number } {
  if (!time) return {}
  const { timeStart, timeEnd } = resolveTime(time)
  const end = Number(timeEnd)
  return { timeStart: Math.floor(Number(timeStart) / 1000), ...(end > 0 && { timeEnd: Math.ceil(end / 1000) }) }
}
