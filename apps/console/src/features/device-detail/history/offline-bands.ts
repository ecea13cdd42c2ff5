/** When a device was away, from its comings and goings (look.md 15: a grey 离线 band). Pure. */
import type { OfflineBand } from '#blocks/history-chart/picture.ts'

interface Passage {
  timestamp: string
  /** connected or disconnected; others do not count. */
  action: string
}

/** @param from since when its comings and goings are known */
export function offlineBands(passages: readonly Passage[], from: number, to: number): OfflineBand[] {
  const known = passages
    .filter(({ action }) => action === 'connected' || action === 'disconnected')
    .map(({ timestamp, action }) => ({ time: Number(timestamp), online: action === 'connected' }))
    .toSorted((one, other) => one.time - other.time)
  const bands: OfflineBand[] = []
  // Who comes first thing in the range was away before it.
  let away = known[0]?.online ? from : undefined
  for (const { time, online } of known) {
    if (!online) away ??= time
    else if (away !== undefined) {
      bands.push({ from: away, to: time })
      away = undefined
    }
  }
  if (away !== undefined) bands.push({ from: away, to })
  return bands.filter((band) => band.to > band.from)
}
