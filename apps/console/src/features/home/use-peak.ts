import { useRef } from 'react'
import { type Peak, peakOf } from './figures.ts'

/**
 * The highest present value that this screen has shown in a day. Curves hold averages of minutes: a highest value below
 * the figure beside it would be a contradiction, and so would one that falls again.
 */
export function usePeak(present: number | undefined): number {
  const seen = useRef<Peak>({ value: 0, at: 0 })
  if (present !== undefined) seen.current = peakOf(seen.current, present, Date.now())
  return seen.current.value
}
