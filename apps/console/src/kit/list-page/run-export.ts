import { t } from '@ithings/contract/text.ts'
import { labelOf, lookOf } from '#kit/status-tag.tsx'
import { formatTime, logFormat, type WireTime } from '#kit/time.ts'
import { toCsv } from './csv.ts'
import type { ListColumn } from './list-contract.ts'

/** The columns that are on screen, in their order. */
export function rowsToCsv<T extends object>(columns: readonly ListColumn<T>[], rows: readonly T[]): string {
  const chosen = columns.filter((column) => column.exportText !== false)
  const cell = (column: ListColumn<T>, row: T): unknown => {
    if (column.exportText) return column.exportText(row)
    // A column drawn by hand mostly has the name of its field as its key: better that than an empty cell.
    const value: unknown = row[(column.dataIndex ?? column.key) as keyof T]
    if (column.time) return formatTime(value as WireTime, column.time === 'log' ? logFormat : undefined)
    if (column.labels) return labelOf(column.labels, value as string | number)
    if (column.looks) return lookOf(column.looks, value as string | number).text
    return typeof value === 'object' ? '' : value
  }
  return toCsv([
    chosen.map((column) => t(column.title)),
    ...rows.map((row) => chosen.map((column) => cell(column, row))),
  ])
}
