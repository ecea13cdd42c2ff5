/** The next messages of a rule, from whichever of its sources has some. */
import type { ForwardSource } from '@ithings/contract/features/forwarding/rules.ts'
import type { Tail } from '#ports/journal-tail.ts'
import { journalKinds, type Position } from '../position.ts'
import type { FactsOf } from './device-facts.ts'
import { fromAlarm, fromJournal, fromOperation, type RawMessage } from './raw-message.ts'

const most = 2_000

export interface MessagePortion {
  messages: RawMessage[]
  next: Position
  /** There may be more at once. */
  more: boolean
}

export function makeReader(tail: Tail, sources: readonly ForwardSource[]) {
  const kinds = journalKinds(sources)
  const wants = new Set(sources)

  async function journal(position: Position): Promise<MessagePortion | undefined> {
    if (kinds.length === 0) return undefined
    const { rows, next, more } = await tail.journal(position.journal, kinds, most)
    return { messages: fromJournal(rows), next: { ...position, journal: next }, more }
  }
  async function alarms(position: Position): Promise<MessagePortion | undefined> {
    if (!wants.has('alarm')) return undefined
    const { rows, next, more } = await tail.alarms(position.alarms, most)
    return { messages: rows.map(fromAlarm), next: { ...position, alarms: next }, more }
  }
  async function operations(position: Position): Promise<MessagePortion | undefined> {
    if (!wants.has('operation')) return undefined
    const rows = await tail.operations(position.operation, most)
    const operation = rows.at(-1)?.id ?? position.operation
    return { messages: rows.map(fromOperation), next: { ...position, operation }, more: rows.length === most }
  }

  return async (position: Position): Promise<MessagePortion> => {
    const all: MessagePortion = { messages: [], next: position, more: false }
    for (const read of [journal, alarms, operations]) {
      const portion = await read(all.next)
      if (!portion) continue
      all.messages.push(...portion.messages)
      all.next = portion.next
      all.more ||= portion.more
    }
    return all
  }
}

/** Devices get their names. */
export async function nameDevices(factsOf: FactsOf, messages: RawMessage[]) {
  const facts = await factsOf(messages.filter(({ deviceID }) => deviceID > 0).map(({ deviceID }) => deviceID))
  for (const message of messages) {
    if (message.deviceID > 0 && message.deviceName === '')
      message.deviceName = facts.get(message.deviceID)?.deviceName ?? ''
  }
  return facts
}
