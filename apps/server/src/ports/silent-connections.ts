/**
 * Ends connections on which no answer will come. A machine that loses its power, hangs or is cut off closes none of
 * them, and the time limits of PostgreSQL end together with it. So of a connection that has waited for long a new one is asked: who
 * takes writes now, and whether the backend that should answer is still there and at work (scaling.md 4).
 */
import type { Socket } from 'node:net'
import { DatabaseAway } from './database-away.ts'

const lookMs = 1_000
export const silentMs = 5_000
/** A machine that does too much answers late. One that answers nobody for so long has to be given up. */
const givenUpMs = 30_000

/** What node-postgres has but does not tell TypeScript. */
export interface OpenClient {
  host: string
  port: number
  connection: { stream: Socket }
  /** null or undefined: it waits for nothing. */
  _activeQuery: object | null | undefined
}

/** A host that takes writes now. */
export interface Primary {
  host: string
  port: number
  /** Of the backends that were asked about those that are there, and whether each is at work. */
  atWork: Record<number, boolean>
}

/** @returns none: somebody is there, but does not tell; rejects when nobody answers */
export type AskPrimaries = (backends: number[]) => Promise<Primary[]>

/** A connection as it was at the last look. */
interface Line {
  client: OpenClient
  /** The process of PostgreSQL. */
  backend: number
  query: object | null | undefined
  heard: number
  since: number
}

const heardOf = ({ connection }: OpenClient): number => connection.stream.bytesRead

function note(line: Line, now: number): void {
  const { _activeQuery: query } = line.client
  const heard = heardOf(line.client)
  if (!query || query !== line.query || heard !== line.heard) Object.assign(line, { query, heard, since: now })
}

const hasWaited = ({ since }: Line, now: number): boolean => now - since >= silentMs

const hostOf = ({ client }: Line, primaries: Primary[]): Primary | undefined =>
  primaries.find(({ host, port }) => host === client.host && port === client.port)

/** It waits for an answer at which nobody is at work. */
const isForgotten = (line: Line, primaries: Primary[]): boolean =>
  !!line.query && line.query === line.client._activeQuery && hostOf(line, primaries)?.atWork[line.backend] === false

/**
 * Why nothing will come by it any more. Several hosts that take writes are several ways to one database. A backend may not
 * have taken up yet what it was asked only just.
 */
function whyLost(line: Line, primaries: Primary[], now: number): string | undefined {
  const own = hostOf(line, primaries)
  if (!own) return 'another host of the database takes the writes now'
  if (heardOf(line.client) !== line.heard) return undefined
  if (own.atWork[line.backend] === undefined) return 'the database does not know this connection any more'
  return isForgotten(line, primaries) && hasWaited(line, now) ? 'the answer of the database was lost' : undefined
}

class Watch {
  readonly lines = new Set<Line>()
  readonly #ask: AskPrimaries
  #timer: NodeJS.Timeout | undefined

  constructor(ask: AskPrimaries) {
    this.#ask = ask
    this.#lookAfter(lookMs)
  }

  stop(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }

  #lookAfter(ms: number): void {
    this.#timer = setTimeout(() => {
      void this.#look().then((next) => this.#timer && this.#lookAfter(next))
    }, ms).unref()
  }

  /** @returns when to look again */
  async #look(): Promise<number> {
    // Those that are opened meanwhile are not spoken of.
    const lines = [...this.lines]
    const now = performance.now()
    for (const line of lines) note(line, now)
    const silent = lines.filter((line) => hasWaited(line, now))
    if (silent.length === 0) return lookMs
    const end = ({ client }: Line, why: string | undefined) =>
      why && client.connection.stream.destroy(new DatabaseAway(why))
    try {
      const primaries = await this.#ask(lines.map(({ backend }) => backend))
      if (primaries.length > 0) for (const line of lines) end(line, whyLost(line, primaries, now))
      return lines.some((line) => !hasWaited(line, now) && isForgotten(line, primaries)) ? lookMs : silentMs
    } catch {
      for (const line of silent) {
        const isOver = now - line.since >= givenUpMs && heardOf(line.client) === line.heard
        end(line, isOver ? 'the database does not answer' : undefined)
      }
      return lookMs
    }
  }
}

/** By the address that they were opened with: of several hosts all move together, also those that nobody uses just now. */
const watches = new Map<string, Watch>()

/** From when it is open until it has ended. @returns what ends the watching */
export function watchConnection(address: string, client: OpenClient, backend: number, ask: AskPrimaries): () => void {
  const watch = watches.get(address) ?? new Watch(ask)
  watches.set(address, watch)
  const line: Line = { client, backend, query: undefined, heard: 0, since: 0 }
  watch.lines.add(line)
  return () => {
    watch.lines.delete(line)
    if (watch.lines.size > 0) return
    watch.stop()
    watches.delete(address)
  }
}
