/** Who loads what at once: each screen alone, and with each part that it loads later, by itself or on a click. */
import type { Piece, Visit } from './plan.ts'

/** A piece with the files that it loads when they are needed. */
export interface LazyPiece extends Piece {
  later: readonly string[]
}

const isScreen = (entry: string) => entry.includes('/screens/')

/** Lazy parts behind the entries, first to last: each with all that is open when it is loaded. */
function partsBehind(pieces: ReadonlyMap<string, LazyPiece>, fileOf: ReadonlyMap<string, string>) {
  const closureOf = (entries: readonly string[]): Set<LazyPiece> => {
    const found = new Set<LazyPiece>()
    const follow = (file: string) => {
      const piece = pieces.get(file)
      if (!piece || found.has(piece)) return
      found.add(piece)
      piece.imports.forEach(follow)
    }
    for (const entry of entries) follow(fileOf.get(entry) ?? '')
    return found
  }
  return (open: readonly string[], known: ReadonlySet<string>): string[] => {
    const later = [...closureOf(open)].flatMap((piece) => piece.later)
    const entries = new Set(later.flatMap((file) => pieces.get(file)?.entry ?? []))
    return [...entries].filter((entry) => !isScreen(entry) && !known.has(entry))
  }
}

/** How often each is loaded compared to the pages that are weighed, which say it themselves. */
const times = { screen: 40, part: 10 }

/** @param always what comes with every screen; what the frame itself loads later stands on no screen of its own */
export function visitsOf(pieces: readonly LazyPiece[], pages: readonly Visit[], always: readonly string[]): Visit[] {
  const byFile = new Map(pieces.map((piece) => [piece.file, piece]))
  const entries = pieces.flatMap(({ entry }) => entry ?? [])
  const fileOf = new Map(pieces.flatMap(({ entry, file }) => (entry ? [[entry, file] as const] : [])))
  const behind = partsBehind(byFile, fileOf)
  const framed = new Set([...always, ...behind(always, new Set(always))])
  const visitsFrom = (screen: string): Visit[] => {
    const visits: Visit[] = [{ entries: [...always, screen], times: times.screen }]
    const known = new Set([...framed, screen])
    for (const { entries } of visits)
      for (const entry of behind(entries, known)) {
        known.add(entry)
        visits.push({ entries: [...entries, entry], times: times.part })
      }
    return visits
  }
  return [
    ...pages,
    ...entries.filter(isScreen).flatMap(visitsFrom),
    ...[...framed]
      .filter((entry) => !always.includes(entry))
      .map((entry) => ({ entries: [...always, entry], times: 1 })),
  ]
}
