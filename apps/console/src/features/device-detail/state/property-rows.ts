/** Every property of the model with what is known of it, also those that never reported (screens.md 6.2). Pure. */

import type { PropertyValue } from '@ithings/contract/features/history.ts'
import { t } from '@ithings/contract/text.ts'
import { type Property, PropertyMode, type ThingModel } from '@ithings/contract/thing-model/model.ts'
import { isNumeric } from '#blocks/typed-value/value-text.ts'

/** never: nothing was reported yet; stale: what is shown may no longer be true. */
export type Freshness = 'never' | 'fresh' | 'stale'

export interface PropertyRow {
  property: Property
  /** '' when there is none. */
  text: string
  /** Milliseconds; 0 when it never reported. */
  timestamp: number
  freshness: Freshness
}

/** A reading that did not come for so long is no longer one. Settings and states stay true until they change. */
export const staleAfter = 10 * 60_000

function freshnessOf(property: Property, timestamp: number, online: boolean, now: number): Freshness {
  if (timestamp === 0) return 'never'
  if (!online) return 'stale'
  const reading = property.mode === PropertyMode.read && isNumeric(property.define)
  return reading && now - timestamp > staleAfter ? 'stale' : 'fresh'
}

export function propertyRows(
  { properties }: Pick<ThingModel, 'properties'>,
  latest: readonly PropertyValue[],
  { online, now }: { online: boolean; now: number },
): PropertyRow[] {
  const known = new Map(latest.map((row) => [row.dataID, row]))
  return properties.map((property) => {
    const row = known.get(property.identifier)
    const timestamp = Number(row?.timestamp ?? 0)
    return {
      property,
      text: timestamp === 0 ? '' : (row?.value ?? ''),
      timestamp,
      freshness: freshnessOf(property, timestamp, online, now),
    }
  })
}

export const isWritable = ({ property }: PropertyRow): boolean => property.mode === PropertyMode.readWrite

/** Numbers whose history is kept have a trend. */
export const hasTrend = ({ property }: PropertyRow): boolean => isNumeric(property.define) && !property.isNoRecord

export const rowGroups = ['all', 'writable', 'odd'] as const
export type RowGroup = (typeof rowGroups)[number]

const belongs: Record<RowGroup, (row: PropertyRow) => boolean> = {
  all: () => true,
  writable: isWritable,
  odd: ({ freshness }) => freshness !== 'fresh',
}

export const countGroup = (rows: readonly PropertyRow[], group: RowGroup): number => rows.filter(belongs[group]).length

export function filterRows(rows: readonly PropertyRow[], group: RowGroup, search: string): PropertyRow[] {
  const wanted = search.trim().toLowerCase()
  return rows.filter(
    (row) =>
      belongs[group](row) &&
      (row.property.name.toLowerCase().includes(wanted) || row.property.identifier.toLowerCase().includes(wanted)),
  )
}

/** 「已 42 分钟未上报」 */
export function silenceText(timestamp: number, now: number): string {
  const minutes = Math.floor((now - timestamp) / 60_000)
  if (minutes < 1) return t('已不到 1 分钟未上报')
  if (minutes < 60) return t('已 {count} 分钟未上报', { count: minutes })
  const hours = Math.floor(minutes / 60)
  return hours < 24
    ? t('已 {count} 小时未上报', { count: hours })
    : t('已 {count} 天未上报', { count: Math.floor(hours / 24) })
}

/** The last word of the device about anything; 0 when it never reported. */
export const lastReport = (latest: readonly PropertyValue[]): number =>
  latest.reduce((last, { timestamp }) => Math.max(last, Number(timestamp)), 0)
