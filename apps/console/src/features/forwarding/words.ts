/** A rule in words: where it sends, how it is, how far behind it is. Pure. */
import {
  type ForwardRule,
  type ForwardSource,
  ForwardStatus,
  forwardSourceLabels,
  forwardStatusLabels,
  mostWaiting,
} from '@ithings/contract/features/forwarding/rules.ts'
import type { TargetSettings } from '@ithings/contract/features/forwarding/targets.ts'
import { t } from '@ithings/contract/text.ts'
import { durationText } from '#blocks/alarm-records/record-words.ts'
import { numberText } from '#kit/number-text.ts'
import type { StatusLooks } from '#kit/status-tag.tsx'

export type RuleState = 'running' | 'paused' | 'failing'
export const stateLooks: StatusLooks = {
  running: { text: forwardStatusLabels[ForwardStatus.running], tone: 'processing' },
  paused: { text: forwardStatusLabels[ForwardStatus.paused], tone: 'default' },
  failing: { text: '发送失败', tone: 'error' },
}

/** One that is paused does not try, so an old failure says nothing. */
export const stateOf = ({ status, error }: Pick<ForwardRule, 'status' | 'error'>): RuleState =>
  status === ForwardStatus.paused ? 'paused' : error === '' ? 'running' : 'failing'

export const sourceText = (source: ForwardSource): string => t(forwardSourceLabels[source])
export const sourcesText = (sources: readonly ForwardSource[]): string => sources.map(sourceText).join(t('、'))

/** Addresses may carry keys in their path or query: the host says enough. */
const hostOf = (url: string): string => URL.parse(url)?.host || url

/** Where it goes, without secrets. */
export function targetAddress(target: TargetSettings): string {
  switch (target.type) {
    case 'webhook':
      return hostOf(target.url)
    case 'mqtt':
      return `${hostOf(target.url)} ${target.topic}`
    case 'kafka':
      return `${target.brokers} ${target.topic}`
    case 'postgres':
      return `${target.host}:${target.port}/${target.database} ${target.schema}.${target.table}`
    case 'influx':
      return `${hostOf(target.url)} ${target.bucket}`
    case 's3':
      return `${hostOf(target.endpoint)}/${target.bucket}/${target.prefix}`
    case 'amqp':
      return `${hostOf(target.url)} ${target.exchange || target.routingKey}`
  }
}

/** Messages a second: small figures with one decimal. */
export const rateText = (rate: number): string =>
  rate > 0 && rate < 10 ? Math.max(0.1, rate).toFixed(1) : numberText(Math.round(rate))

/** Without a limit of its own a minute is too long. */
const usualLagSeconds = 60
export const lagsTooMuch = ({ lagMs, lagSeconds }: Pick<ForwardRule, 'lagMs' | 'lagSeconds'>): boolean =>
  lagMs > (lagSeconds || usualLagSeconds) * 1_000

export const lagText = (lagMs: number): string => (lagMs < 1_000 ? t('不到 1 秒') : durationText(lagMs))

/** About so many: those that its filter leaves out are counted, too. */
const countText = (waiting: number): string =>
  waiting < mostWaiting ? numberText(waiting) : `${numberText(mostWaiting)}+`

function waitingText({ lagMs, waiting }: { lagMs: number; waiting?: number | undefined }): string {
  const lag = lagText(lagMs)
  if (waiting === undefined && lagMs > 0)
    return t('有消息在等待发送，最早的一条已等待 {lag}，删除后不再发送。', { lag })
  if (!waiting) return t('没有等待发送的消息。')
  const count = countText(waiting)
  return lagMs > 0
    ? t('约 {count} 条消息在等待发送，最早的一条已等待 {lag}，删除后不再发送。', { count, lag })
    : t('约 {count} 条消息在等待发送，删除后不再发送。', { count })
}

/** What deleting a rule takes with it, a sentence each. @param waiting undefined: nobody has counted */
export const lossTexts = (rule: Pick<ForwardRule, 'lagMs' | 'deadLetters'> & { waiting?: number }): string[] => [
  waitingText(rule),
  ...(rule.deadLetters > 0 ? [t('{count, number} 条死信一并删除，无法恢复。', { count: rule.deadLetters })] : []),
]
