import type { TableFormat } from '@ithings/contract/features/jobs.ts'
import dayjs from 'dayjs'
import { downloadText } from '#kit/download.ts'
import { readingOf, useTableExport } from '#kit/exporting.ts'
import { exportColumns } from './export-columns.ts'
import type { ListColumn, ListPaging, ListQuery } from './list-contract.ts'
import { rowsToCsv } from './run-export.ts'

interface ExportInput<T> {
  title: string
  columns: readonly ListColumn<T>[]
  query: (page: ListPaging) => ListQuery<T>
  orders: ListPaging['orders']
  /** Those on the screen. */
  rows: readonly T[]
}

/** The whole filter is written by the server; rows that are chosen, or a tree, are on the screen already. */
export function useListExport<T extends object>({ title, columns, query, orders, rows }: ExportInput<T>) {
  const exportTable = useTableExport()
  const exportRows = (chosen: readonly T[]) =>
    downloadText(rowsToCsv(columns, chosen), `${title}-${dayjs().format('YYYYMMDD-HHmmss')}.csv`, 'text/csv')
  const exportList = (format: TableFormat) => {
    const source = readingOf(query({ page: 1, size: 1, ...(orders && { orders }) }))
    exportTable({ title, format, columns: exportColumns(columns, rows[0]), source })
  }
  return { exportRows, exportList }
}
