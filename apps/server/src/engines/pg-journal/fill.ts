/** Empty buckets of a range (http-api.md 4.4 fill). */
import type { Fill } from '#ports/history.ts'
import { TooMuchHistory } from '#ports/history.ts'
import type { SeriesBucket } from './aggregate.ts'
import type { BucketBounds } from './bucket-clock.ts'

type Filler = (at: number, before: SeriesBucket | undefined, after: SeriesBucket | undefined, index: number) => unknown

const linear: Filler = (at, before, after, index) => {
  const from = before?.values[index]
  const to = after?.values[index]
  if (!before || !after || typeof from !== 'number' || typeof to !== 'number') return null
  return from + ((to - from) * (at - before.start)) / (after.start - before.start)
}

const fillerOf = (fill: Fill): Filler => {
  switch (fill.mode) {
    case 'value':
      return () => fill.value
    case 'prev':
      return (_, before, __, index) => before?.values[index] ?? null
    case 'next':
      return (_, __, after, index) => after?.values[index] ?? null
    case 'linear':
      return linear
    default:
      return () => null
  }
}

/**
 * @param buckets with values, old to new
 * @param from 0 when the range has no start: then nothing is filled before the first bucket
 */
export function fillBuckets(
  buckets: SeriesBucket[],
  fill: Fill,
  range: { from: number; to: number },
  bucketAt: (time: number) => BucketBounds,
  functions: number,
  limit: number,
): SeriesBucket[] {
  if (fill.mode === 'none') return buckets
  const begin = range.from > 0 ? range.from : buckets[0]?.start
  if (begin === undefined) return []
  const filler = fillerOf(fill)
  const whole: SeriesBucket[] = []
  let next = 0
  for (let bounds = bucketAt(begin); bounds.start < range.to; bounds = bucketAt(bounds.end)) {
    if (whole.length >= limit) throw new TooMuchHistory(`more than ${limit} buckets`)
    const there = buckets[next]
    if (there && there.start === bounds.start) {
      whole.push(there)
      next += 1
    } else {
      const before = buckets[next - 1]
      whole.push({
        ...bounds,
        values: Array.from({ length: functions }, (_, i) => filler(bounds.start, before, there, i)),
      })
    }
  }
  // What devices whose clock is ahead said lies after the end of the filling.
  return whole.concat(buckets.slice(next))
}
