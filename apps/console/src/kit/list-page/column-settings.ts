import * as z from 'zod'
import { readCacheOr, writeCache } from '#kit/json-cache.ts'

export interface ColumnInfo {
  key: string
  title: string
  hideable?: boolean | undefined
  hiddenAtFirst?: boolean | undefined
}

const stored = z.object({ order: z.array(z.string()), hidden: z.array(z.string()) })
export type ColumnSettings = z.infer<typeof stored>

const keyOf = (storageKey: string) => `iThings-columns-${storageKey}`

export const defaultSettings = (columns: readonly ColumnInfo[]): ColumnSettings => ({
  order: columns.map((column) => column.key),
  hidden: columns.filter((column) => column.hiddenAtFirst).map((column) => column.key),
})

/** Stored settings meet a newer program: columns that are gone drop out, new ones come at their own place. */
export function fitSettings(settings: ColumnSettings, columns: readonly ColumnInfo[]): ColumnSettings {
  const known = new Set(columns.map((column) => column.key))
  const order = settings.order.filter((key, at, all) => known.has(key) && all.indexOf(key) === at)
  const hidden = new Set(settings.hidden)
  columns.forEach((column, at) => {
    if (order.includes(column.key)) return
    const before = columns[at - 1]
    order.splice(before ? order.indexOf(before.key) + 1 : 0, 0, column.key)
    if (column.hiddenAtFirst) hidden.add(column.key)
  })
  const mayHide = new Set(columns.filter((column) => column.hideable !== false).map((column) => column.key))
  return { order, hidden: [...hidden].filter((key) => mayHide.has(key)) }
}

export function loadSettings(storageKey: string, columns: readonly ColumnInfo[]): ColumnSettings {
  const fallback = defaultSettings(columns)
  return fitSettings(
    readCacheOr(keyOf(storageKey), (value) => stored.parse(value), fallback),
    columns,
  )
}

export function saveSettings(storageKey: string, settings: ColumnSettings): void {
  try {
    writeCache(keyOf(storageKey), settings)
  } catch {
    // Without storage the choice lasts for this visit only.
  }
}

export function moveColumn(order: readonly string[], key: string, to: number): string[] {
  const rest = order.filter((one) => one !== key)
  rest.splice(Math.min(Math.max(to, 0), rest.length), 0, key)
  return rest
}
