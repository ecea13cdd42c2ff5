/** Numbers that look random and are the same every time, so that every demo is the same one. */
export interface Chance {
  /** 0 up to, not including, 1. */
  next(): number
  between(low: number, high: number): number
}

export function makeChance(seed: string): Chance {
  let state = 0x811c9dc5
  for (let i = 0; i < seed.length; i++) state = Math.imul(state ^ seed.charCodeAt(i), 0x01000193)
  // mulberry32
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  // Neighbouring seeds begin alike.
  next()
  return { next, between: (low, high) => low + (high - low) * next() }
}
