import { t } from '@ithings/contract/text.ts'
import type { QueryClient, QueryFunction } from '@tanstack/react-query'
import { lookOf } from '#kit/status-tag.tsx'
import { formatTime, logFormat, type WireTime } from '#kit/time.ts'
import { toCsv } from './csv.ts'
import type { ListColumn, ListPaging, ListQuery, ListResult } from './list-contract.ts'

// decisions.md 2 "Paging": at most 10,000 rows a call; the same bound keeps an export from eating the browser.
export const exportLimit = 10_000
const pageRows = 500

export interface ExportProgress {
  done: number
  total: number
}

export interface ExportJob<T> {
  client: QueryClient
  query: (page: ListPaging) => ListQuery<T>
  orders: ListPaging['orders']
  signal: AbortSignal
  onProgress: (progress: ExportProgress) => void
}

/** Reads the whole filter page by page through the list's own query. */
export async function collectRows<T>(job: ExportJob<T>): Promise<{ rows: T[]; total: number }> {
  const rows: T[] = []
  let total = Number.POSITIVE_INFINITY
  for (let page = 1; rows.length < Math.min(total, exportLimit); page++) {
    job.signal.throwIfAborted()
    const paging: ListPaging = { page, size: pageRows, ...(job.orders && { orders: job.orders }) }
    const { queryKey, queryFn } = job.query(paging)
    const result = await job.client.fetchQuery<ListResult<T>>({
      queryKey,
      queryFn: queryFn as QueryFunction<ListResult<T>>,
      staleTime: 0,
      gcTime: 0,
    })
    job.signal.throwIfAborted()
    total = result.total
    rows.push(...result.list)
    job.onProgress({ done: Math.min(rows.length, exportLimit), total: Math.min(total, exportLimit) })
    // Rows can disappear while we read: an empty page is the end whatever the total says.
    if (result.list.length === 0) break
  }
  return { rows: rows.slice(0, exportLimit), total }
}

/** The columns that are on screen, in their order. */
export function rowsToCsv<T extends object>(columns: readonly ListColumn<T>[], rows: readonly T[]): string {
  const chosen = columns.filter((column) => column.exportText !== false)
  const cell = (column: ListColumn<T>, row: T): unknown => {
    if (column.exportText) return column.exportText(row)
    // A column drawn by hand mostly has the name of its field as its key: better that than an empty cell.
    const value: unknown = row[(column.dataIndex ?? column.key) as keyof T]
    if (column.time) return formatTime(value as WireTime, column.time === 'log' ? logFormat : undefined)
    if (column.looks) return lookOf(column.looks, value as string | number).text
    return typeof value === 'object' ? '' : value
  }
  return toCsv([
    chosen.map((column) => t(column.title)),
    ...rows.map((row) => chosen.map((column) => cell(column, row))),
  ])
}
