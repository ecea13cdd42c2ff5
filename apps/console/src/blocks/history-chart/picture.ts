/** What the chart of the history shows, and its points in words. Pure. */

import type { ArgFunc } from '@ithings/contract/features/history.ts'
import { t } from '@ithings/contract/text.ts'
import type { EventType } from '@ithings/contract/thing-model/model.ts'
import { describeValue, figureText, isState, measuredText } from '#blocks/typed-value/value-text.ts'
import type { HistorySeries } from './series.ts'

/** Something that happened in the range: a thin line across the chart with a sign at its top. */
export interface ChartMark {
  /** Told when it is clicked. */
  key: string
  time: number
  name: string
  type: EventType
  kind: MarkKind
}

export const markSigns = { alarm: '■', event: '●', command: '▼', upgrade: '▲', config: '◆' } as const
export type MarkKind = keyof typeof markSigns

/** A value at which a scene of the product starts. */
export interface ChartLimit {
  /** Of the property. */
  identifier: string
  value: number
  text: string
}

/** The device was away. */
export interface OfflineBand {
  from: number
  to: number
}

export interface HistoryPicture {
  series: readonly HistorySeries[]
  from: number
  to: number
  /** 0: raw values. */
  interval: number
  func: ArgFunc
  marks?: readonly ChartMark[] | undefined
  bands?: readonly OfflineBand[] | undefined
  limits?: readonly ChartLimit[] | undefined
}

export const markColours: Record<EventType, string> = { info: '#8595BA', alert: '#E08A00', fault: '#E5484D' }

export const counted = (picture: HistoryPicture): boolean => picture.interval > 0 && picture.func === 'count'

/** Lines of one unit share an axis; states have one of their own. */
export function axisKey(picture: HistoryPicture, line: HistorySeries): string {
  if (counted(picture)) return t('条')
  return isState(line.property.define) ? `state ${line.property.identifier}` : (line.property.define.unit ?? '')
}

export function pointText(
  picture: Pick<HistoryPicture, 'interval' | 'func'>,
  line: HistorySeries,
  value: number,
): string {
  const { define } = line.property
  if (picture.interval > 0 && picture.func === 'count')
    return t('{number} 条', { number: measuredText(value), count: value })
  if (isState(define)) return describeValue(define, define.type === 'bool' ? value === 1 : value)
  return figureText(define, value)
}
