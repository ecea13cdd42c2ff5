/** What a clock on the wall shows at a moment, for formats whose times have no zone. */

const stepMs = 15 * 60_000
/** Offsets change at a quarter of an hour at the finest; a table rarely spans more of them than this. */
const kept = 10_000

function offsetAt(format: Intl.DateTimeFormat, ms: number): number {
  const name = format.formatToParts(ms).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = /^GMT([+-])(\d+):(\d+)(?::(\d+))?$/.exec(name) ?? []
  const size = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -size : size
}

/** Milliseconds as if the wall were in UTC. @param timeZone IANA name; without one the server's own */
export function wallClock(timeZone?: string): (ms: number) => number {
  if (timeZone === undefined) return (ms) => ms - new Date(ms).getTimezoneOffset() * 60_000
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  const offsets = new Map<number, number>()
  return (ms) => {
    const step = Math.floor(ms / stepMs)
    let offset = offsets.get(step)
    if (offset === undefined) {
      if (offsets.size >= kept) offsets.clear()
      offset = offsetAt(format, step * stepMs)
      offsets.set(step, offset)
    }
    return ms + offset
  }
}
