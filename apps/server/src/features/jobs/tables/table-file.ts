import { Readable } from 'node:stream'
import type { TableFormat } from '@ithings/contract/features/jobs.ts'
import { csvTable } from './csv-table.ts'
import { parquetTable } from './parquet-table.ts'
import type { Cell, TableColumn, TableOptions } from './table.ts'
import { type SheetTable, xlsxTables } from './xlsx-table.ts'

/** A table as a file, written while its rows come: never more than a few portions of it are in memory. */
export function tableFile(
  format: TableFormat,
  columns: TableColumn[],
  portions: AsyncIterable<Cell[][]>,
  options: TableOptions = {},
): Readable {
  if (format === 'csv') return Readable.from(csvTable(columns, portions), { objectMode: false })
  if (format === 'parquet') return Readable.from(parquetTable(columns, portions), { objectMode: false })
  return workbookFile([{ title: options.title ?? '', columns, portions }], options)
}

/** Several tables in one file. */
export const workbookFile = (tables: readonly SheetTable[], options: Omit<TableOptions, 'title'> = {}): Readable =>
  Readable.from(xlsxTables(tables, options), { objectMode: false })
