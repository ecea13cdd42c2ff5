/**
 * Decides which parts travel in one file. The bundler by itself makes a file for each set of lazy parts that share
 * something: exact, but fifty requests for a screen. Two files become one as long as the requests that this saves are
 * worth more than the bytes that somebody then loads in vain.
 */
export interface Piece {
  file: string
  /** The module that is loaded by itself, a screen or a drawer. */
  entry: string | null
  imports: readonly string[]
  modules: Readonly<Record<string, number>>
}

/** What somebody loads at once: entries with all that they import, and how often compared to others. */
export interface Visit {
  entries: readonly string[]
  times: number
  /** Bytes that it must not come to load, whatever requests that would save. */
  limit?: number | undefined
  /** How many files it may load. */
  files?: number | undefined
}

interface Part {
  entry: string | null
  modules: readonly string[]
  bytes: number
  /** Visits that need it, with how often each is made. */
  users: Map<Visit, number>
  /** All that comes with it. */
  below: Set<Part>
}

const sum = (numbers: Iterable<number>) => [...numbers].reduce((total, one) => total + one, 0)

function partsOf(pieces: readonly Piece[], visits: readonly Visit[]): Set<Part> {
  const parts = new Map(
    pieces.map(({ file, entry, modules }): [string, Part] => {
      const bytes = sum(Object.values(modules))
      return [file, { entry, modules: Object.keys(modules), bytes, users: new Map(), below: new Set() }]
    }),
  )
  const imports = new Map(pieces.map(({ file, imports }) => [file, imports]))
  for (const [file, { below }] of parts) {
    const follow = (one: string) => {
      const part = parts.get(one)
      if (!part || below.has(part)) return
      below.add(part)
      imports.get(one)?.forEach(follow)
    }
    imports.get(file)?.forEach(follow)
  }
  for (const visit of visits)
    for (const part of parts.values())
      if (part.entry && visit.entries.includes(part.entry))
        for (const one of [part, ...part.below]) one.users.set(visit, visit.times)
  return new Set(parts.values())
}

/** What whoever needs only one of them loads in vain: the other, and all that comes with it. */
function waste(one: Part, other: Part, most: number): number {
  let bytes = 0
  for (const [visit, times] of one.users) {
    if (other.users.has(visit)) continue
    bytes += times * other.bytes
    for (const part of other.below) if (part !== one && !part.users.has(visit)) bytes += times * part.bytes
    if (bytes > most) break
  }
  return bytes
}

/** What it is worth to load both as one. */
function gain(a: Part, b: Part, request: number): number {
  let saved = 0
  for (const [visit, times] of a.users) if (b.users.has(visit)) saved += times * request
  const left = saved - waste(a, b, saved)
  return left > 0 ? left - waste(b, a, left) : left
}

/** What each visit with a limit loads. */
type Loads = Map<Visit, number>

function loadsOf(parts: Iterable<Part>): Loads {
  const loads: Loads = new Map()
  for (const { bytes, users } of parts)
    for (const visit of users.keys()) if (visit.limit) loads.set(visit, (loads.get(visit) ?? 0) + bytes)
  return loads
}

/** What visits of `one` alone would load besides when the other comes along; those without a limit are left out. */
function* added(one: Part, other: Part, loads: Loads): Generator<[visit: Visit, bytes: number]> {
  for (const visit of one.users.keys()) {
    if (!loads.has(visit) || other.users.has(visit)) continue
    let bytes = other.bytes
    for (const part of other.below) if (part !== one && !part.users.has(visit)) bytes += part.bytes
    yield [visit, bytes]
  }
}

const both = (a: Part, b: Part, loads: Loads) => [...added(a, b, loads), ...added(b, a, loads)]

const breaksLimit = (a: Part, b: Part, loads: Loads) =>
  both(a, b, loads).some(([visit, bytes]) => (loads.get(visit) ?? 0) + bytes > (visit.limit ?? 0))

/** Files that import each other in a circle would run before what they need. */
const circular = (a: Part, b: Part) =>
  [...a.below].some((one) => one !== b && one.below.has(b)) || [...b.below].some((one) => one !== a && one.below.has(a))

function unite(a: Part, b: Part, parts: Set<Part>): Part {
  const below = new Set([...a.below, ...b.below].filter((part) => part !== a && part !== b))
  const one: Part = {
    entry: null,
    modules: [...a.modules, ...b.modules],
    bytes: a.bytes + b.bytes,
    users: new Map([...a.users, ...b.users]),
    below,
  }
  for (const part of below) for (const [visit, times] of one.users) part.users.set(visit, times)
  parts.delete(a)
  parts.delete(b)
  for (const part of parts)
    if (part.below.has(a) || part.below.has(b)) {
      part.below = new Set([...part.below, ...below, one])
      part.below.delete(a)
      part.below.delete(b)
    }
  parts.add(one)
  return one
}

export interface Plan {
  /** What every visit loads: it comes with the start, for a file of its own would be a request more for everybody. */
  always: readonly string[]
  files: readonly (readonly string[])[]
}

/** Two become one for as long as anything is gained. @returns all that are left */
function uniteParts(pieces: readonly Piece[], visits: readonly Visit[], start: string, request: number): Set<Part> {
  const parts = partsOf(pieces, visits)
  const loads = loadsOf(parts)
  const pairs = new Map<Part, Map<Part, number>>()
  const compare = (part: Part) => {
    const others = [...pairs.keys()].map((other): [Part, number] => [other, gain(part, other, request)])
    pairs.set(part, new Map(others.filter(([, worth]) => worth > 0)))
  }
  for (const part of parts) if (part.entry !== start) compare(part)
  for (;;) {
    let best: [Part, Part, number] | undefined
    for (const [a, others] of pairs) for (const [b, worth] of others) if (worth > (best?.[2] ?? 0)) best = [a, b, worth]
    if (!best) return parts
    const [a, b, worth] = best
    // Who needs which part has changed with every two that became one.
    const now = circular(a, b) || breaksLimit(a, b, loads) ? 0 : gain(a, b, request)
    if (now < worth) {
      if (now > 0) pairs.get(a)?.set(b, now)
      else pairs.get(a)?.delete(b)
      continue
    }
    for (const [visit, bytes] of both(a, b, loads)) loads.set(visit, (loads.get(visit) ?? 0) + bytes)
    const one = unite(a, b, parts)
    pairs.delete(a)
    pairs.delete(b)
    for (const others of pairs.values()) {
      others.delete(a)
      others.delete(b)
    }
    compare(one)
  }
}

/** How many files each visit loads that may not load any number: the start, and what not everybody loads. */
function filesOf(parts: Iterable<Part>, visits: readonly Visit[]): Map<Visit, number> {
  const counts = new Map<Visit, number>(visits.flatMap((visit) => (visit.files ? [[visit, 1]] : [])))
  for (const { users } of parts) {
    if (users.size === visits.length) continue
    for (const visit of users.keys()) {
      const count = counts.get(visit)
      if (count !== undefined) counts.set(visit, count + 1)
    }
  }
  return counts
}

const excessOf = ({ files = Number.POSITIVE_INFINITY }: Visit, count: number) => Math.max(0, count - files)

/** By how many files too many less would be loaded if the two were one. */
function relief(a: Part, b: Part, counts: ReadonlyMap<Visit, number>): number {
  let less = 0
  const compare = (visit: Visit, more: number) => {
    const count = counts.get(visit)
    if (count !== undefined) less += excessOf(visit, count) - excessOf(visit, count + more)
  }
  const alone = (one: Part, other: Part) => {
    for (const visit of one.users.keys())
      if (!other.users.has(visit))
        compare(visit, [...other.below].filter((part) => part !== one && !part.users.has(visit)).length)
  }
  for (const visit of a.users.keys()) if (b.users.has(visit)) compare(visit, -1)
  alone(a, b)
  alone(b, a)
  return less
}

/** Who loads too many files gets some of them as one, those that cost the others least. @returns who still has too many */
function relieve(parts: Set<Part>, visits: readonly Visit[], start: string, request: number): Set<Visit> {
  for (;;) {
    const counts = filesOf(parts, visits)
    const crowded = [...counts].filter(([visit, count]) => excessOf(visit, count) > 0).map(([visit]) => visit)
    const loads = loadsOf(parts)
    let best: { a: Part; b: Part; worth: number } | undefined
    for (const visit of crowded) {
      const met = [...parts].filter((part) => part.users.has(visit) && part.entry !== start)
      for (const [i, a] of met.entries())
        for (const b of met.slice(i + 1)) {
          const worth = gain(a, b, request)
          if (best && worth <= best.worth) continue
          if (relief(a, b, counts) > 0 && !circular(a, b) && !breaksLimit(a, b, loads)) best = { a, b, worth }
        }
    }
    if (!best) return new Set(crowded)
    unite(best.a, best.b, parts)
  }
}

/**
 * A plan hangs on every byte, so several are made until one gives everybody as few files as he may have: with a request
 * worth this much of what is given, and, each time, with more weight for whoever had too many files.
 */
const worths = [1, 0.75, 0.6, 0.9, 1.1]
const rounds = 3
const raise = 1.7

/**
 * Which modules go together; what stays alone is not named.
 * @param start the entry that is loaded before all others: whatever joins it is met by everybody
 * @param request how many bytes, before they are minified and compressed, a request is worth
 */
export function planFiles(pieces: readonly Piece[], visits: readonly Visit[], start: string, request: number): Plan {
  let best: { parts: Set<Part>; crowded: number } | undefined
  for (const worth of worths) {
    let asked = [...visits]
    for (let round = 0; round < rounds && best?.crowded !== 0; round++) {
      const parts = uniteParts(pieces, asked, start, request * worth)
      const crowded = relieve(parts, asked, start, request * worth)
      if (crowded.size < (best?.crowded ?? Number.POSITIVE_INFINITY)) best = { parts, crowded: crowded.size }
      asked = asked.map((visit) => (crowded.has(visit) ? { ...visit, times: visit.times * raise } : visit))
    }
  }
  const planned = [...(best?.parts ?? [])].filter(({ entry }) => entry === null)
  const isAlways = ({ users }: Part) => users.size === visits.length
  return {
    always: planned.filter(isAlways).flatMap(({ modules }) => modules),
    files: planned.filter((part) => !isAlways(part)).map(({ modules }) => modules),
  }
}
