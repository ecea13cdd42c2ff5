/** How far a rule has come in each of its sources. */
import { type ForwardSource, mostWaiting } from '@ithings/contract/features/forwarding/rules.ts'
import { JournalKind } from '#ports/journal.ts'
import type { Place, Tail } from '#ports/journal-tail.ts'

export interface Position {
  journal: Place
  alarms: Place
  /** Number of the last operation that was dealt with. */
  operation: number
}

/** @param since ms: what came from then on is sent, too */
export async function beginPosition(tail: Tail, since?: number): Promise<Position> {
  const [journal, operation] = await Promise.all([tail.begin(since), tail.lastOperation(since)])
  return { journal, alarms: journal, operation }
}

const kindsOf: Partial<Record<ForwardSource, JournalKind[]>> = {
  property: [JournalKind.property],
  event: [JournalKind.event],
  presence: [JournalKind.connected, JournalKind.disconnected],
  command: [JournalKind.property, JournalKind.action],
}

/** In one order, so that rules with the same sources ask for the same. */
export const journalKinds = (sources: readonly ForwardSource[]): JournalKind[] =>
  [...new Set(sources.flatMap((source) => kindsOf[source] ?? []))].sort((a, b) => a - b)

/** What has not been dealt with, before the filter of the rule. */
export async function countWaiting(tail: Tail, sources: readonly ForwardSource[], position: Position): Promise<number> {
  const kinds = journalKinds(sources)
  const counts = [
    kinds.length > 0 ? tail.countJournal(position.journal, kinds, mostWaiting) : 0,
    sources.includes('alarm') ? tail.countAlarms(position.alarms, mostWaiting) : 0,
    // They have numbers without gaps.
    sources.includes('operation') ? tail.lastOperation().then((last) => last - position.operation) : 0,
  ]
  const all = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
  return Math.min(all, mostWaiting)
}
