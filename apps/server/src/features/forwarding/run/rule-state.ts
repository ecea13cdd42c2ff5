/** How a rule gets on, as screens show it; written by whoever has the rule. */
import { dayMs } from '@ithings/contract/durations.ts'
import { type Selectable, sql } from 'kysely'
import { jsonText } from '#db/json-text.ts'
import type { Db } from '#db/schema.ts'
import type { ForwardRuleTable, ForwardStateTable, SentMessage } from '#db/tables/forwarding.ts'
import type { ForwardMessage } from '#ports/forward-target.ts'
import type { Position } from '../position.ts'
import type { Letter, Waiting } from './outgoing.ts'

/** After so long without a sign another server takes the rule. */
export const leaseSeconds = 15
const shownMessages = 10
const shownCharacters = 10_000
const rateSeconds = 60
/** Beyond this the rule waits for people: nothing is thrown away. */
export const mostDeadLetters = 100_000

export type RuleRow = Selectable<ForwardRuleTable>
export type StateRow = Selectable<ForwardStateTable>

/** The rule is another server's by now. */
export class RuleLost extends Error {}

export class RuleState {
  #sent = 0
  #rate = 0
  #ratedAt = performance.now()
  #lastSentAt = 0
  #error = ''
  #errorAt = 0
  #recent: SentMessage[] = []

  constructor(row: { rate: number; recent: SentMessage[]; error: string; error_at: number; last_sent_at: number }) {
    this.#rate = row.rate
    this.#recent = row.recent
    this.#error = row.error
    this.#errorAt = row.error_at
    this.#lastSentAt = row.last_sent_at
  }

  sent(messages: readonly ForwardMessage[], now: number): void {
    this.#sent += messages.length
    if (messages.length > 0) this.#lastSentAt = now
    const shown = messages.slice(-shownMessages).map(({ id, source, productID, deviceName, time, body }) => ({
      ...{ messageID: id, source, productID, deviceName, time },
      sentTime: now,
      body: body.slice(0, shownCharacters),
    }))
    this.#recent = [...shown.toReversed(), ...this.#recent].slice(0, shownMessages)
  }

  failed(error: string, now: number): void {
    if (this.#error === '') this.#errorAt = now
    this.#error = error
  }

  works(): void {
    this.#error = ''
    this.#errorAt = 0
  }

  /** The mean of about the last minute. */
  #measure(): void {
    const now = performance.now()
    const seconds = Math.max((now - this.#ratedAt) / 1000, 0.001)
    this.#ratedAt = now
    this.#rate += (this.#sent / seconds - this.#rate) * (1 - Math.exp(-seconds / rateSeconds))
    if (this.#rate < 0.001) this.#rate = 0
  }

  async write(db: Db, { ruleID, turn }: { ruleID: number; turn: number }, position: Position, oldest?: Waiting) {
    const sent = this.#sent
    this.#measure()
    const { numUpdatedRows } = await db
      .updateTable('forward_state')
      .set({
        position: JSON.stringify(position),
        lease_until: sql`now() + make_interval(secs => ${leaseSeconds})`,
        sent: sql`sent + ${sent}`,
        rate: this.#rate,
        oldest_at: oldest?.at ?? 0,
        loses_at: losesAt(oldest),
        last_sent_at: this.#lastSentAt,
        error: this.#error,
        error_at: this.#errorAt,
        recent: jsonText(this.#recent),
      })
      .where('rule_id', '=', ruleID)
      .where('turn', '=', turn)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw new RuleLost()
    this.#sent -= sent
  }
}

/** Days of logs go as whole days (engines/pg-journal/retention.ts). */
export const losesAt = (oldest: Pick<Waiting, 'at' | 'logDays'> | undefined): number =>
  oldest && oldest.logDays > 0 ? (Math.floor(oldest.at / dayMs) + 1 + oldest.logDays) * dayMs : 0

/** @returns whether there was room */
export async function keepLetters(db: Db, ruleID: number, letters: Letter[], now: number): Promise<boolean> {
  const { count } = await db
    .selectFrom('forward_dead_letter')
    .select(sql<number>`count(*)`.as('count'))
    .where('rule_id', '=', ruleID)
    .executeTakeFirstOrThrow()
  if (count + letters.length > mostDeadLetters) return false
  await db
    .insertInto('forward_dead_letter')
    .values(
      letters.map(({ message, reason }) => ({
        rule_id: ruleID,
        message_id: message.id,
        source: message.source,
        product_id: message.productID,
        device_name: message.deviceName,
        identifier: message.identifier,
        time: message.time,
        created_at: now,
        reason,
        body: message.body,
        content_type: message.contentType,
        data: jsonText(message.data),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['rule_id', 'message_id']).doUpdateSet((eb) => ({ reason: eb.ref('excluded.reason') })),
    )
    .execute()
  return true
}
