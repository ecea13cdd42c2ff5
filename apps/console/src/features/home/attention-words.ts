/** Devices that need attention, in words. Pure. */

import {
  type AttentionKind,
  type AttentionRow,
  attentionKinds,
  attentionReach,
  type HomeAttention,
} from '@ithings/contract/features/home.ts'
import { t } from '@ithings/contract/text.ts'
import { durationText } from './figures.ts'

export const attentionWords: Record<AttentionKind, string> = {
  offline: '离线超 24 小时',
  upgrade: '升级失败',
  silent: '静默',
  config: '配置未送达',
}

/** What is wrong with it, or since how long. */
export function whyText({ kind, text, since }: AttentionRow, now: number): string {
  const lasting = durationText((now - since) / 1000)
  return text || (kind === 'silent' ? t('{lasting}无数据', { lasting }) : lasting)
}

/** Kinds that have some, in their order. */
export const kindsOf = (counts: HomeAttention['counts'] | undefined): AttentionKind[] =>
  attentionKinds.filter((kind) => (counts?.[kind] ?? 0) > 0)

/** How many of a kind can be listed: the others of upgrades and configurations are known as a number only. */
export const listedOf = (kind: AttentionKind, count: number): number =>
  kind === 'upgrade' || kind === 'config' ? Math.min(count, attentionReach) : count
