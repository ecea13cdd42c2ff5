/** People are told when a rule is too far behind, and before anything is lost by the retention of logs. */
import { hourMs } from '@ithings/contract/durations.ts'
import { kept } from '@ithings/contract/text.ts'
import { queueNotice } from '#features/notify/door.ts'
import type { ForwardingDeps } from '../forwarding-deps.ts'
import type { Waiting } from './outgoing.ts'
import { losesAt, type RuleRow } from './rule-state.ts'

/** So long before the first message would be lost. */
export const warnBeforeMs = 6 * hourMs

export class LagTeller {
  readonly #deps: ForwardingDeps
  readonly #rule: RuleRow
  /** 0: the lag is not too long. */
  #toldAt: number
  #toldLoss = false

  constructor(deps: ForwardingDeps, rule: RuleRow, toldAt: number) {
    this.#deps = deps
    this.#rule = rule
    this.#toldAt = toldAt
  }

  async look(oldest: Waiting | undefined): Promise<void> {
    const { clock, log } = this.#deps
    const { lag_seconds, id, name } = this.#rule
    const now = clock.now()
    const lagMs = oldest ? now - oldest.at : 0
    const end = losesAt(oldest)
    const isLosing = end > 0 && end - now < warnBeforeMs
    if (isLosing && !this.#toldLoss) {
      log.warn({ rule: id, losesAt: new Date(end).toISOString() }, 'forwarding is about to lose messages')
      const at = new Date(end).toISOString()
      await this.#tell(
        kept('数据转发「{name}」积压的消息将从 {at} 起被日志保留期清除，请尽快恢复目标系统', { name, at }),
      )
    }
    this.#toldLoss = isLosing
    const isLate = lag_seconds > 0 && lagMs > lag_seconds * 1000
    if (isLate === this.#toldAt > 0) return
    this.#toldAt = isLate ? now : 0
    await this.#deps.db
      .updateTable('forward_state')
      .set({ lag_told_at: this.#toldAt })
      .where('rule_id', '=', id)
      .execute()
    if (isLate)
      await this.#tell(kept('数据转发「{name}」已落后 {seconds} 秒', { name, seconds: Math.round(lagMs / 1000) }))
  }

  async #tell(content: string): Promise<void> {
    const { notify } = this.#deps
    const { channel_ids: channelIDs, name } = this.#rule
    if (channelIDs.length === 0) return
    await queueNotice(notify, {
      to: { channelIDs },
      title: kept('数据转发告警：{name}', { name }),
      content,
      variables: {},
      payload: { ruleID: this.#rule.id },
      source: 'forward',
      sourceName: name,
    })
  }
}
