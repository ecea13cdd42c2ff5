/** A table on its way into a file: typed columns, and rows that come in portions. */

export interface TableColumn {
  head: string
  /** Times are milliseconds since 1970. */
  type: 'text' | 'number' | 'integer' | 'boolean' | 'time'
}

/** Null and undefined are empty cells. What does not fit its column is written as text, in Parquet left out. */
export type Cell = string | number | boolean | null | undefined

export interface TableOptions {
  /** IANA name, for the one format whose times have no zone (XLSX); the server's own when it is missing. */
  timeZone?: string
  /** Of the sheets of XLSX. */
  title?: string
  /** Rows of one sheet with its heads; Excel opens no more than 1,048,576. */
  sheetRows?: number
}

const isEmpty = (cell: Cell): cell is null | undefined | '' => cell === null || cell === undefined || cell === ''

/** The number that a cell of a numeric or time column holds; undefined: empty, or none that is exact. */
export function numberIn(type: TableColumn['type'], cell: Cell): number | undefined {
  if (isEmpty(cell) || typeof cell === 'boolean') return undefined
  const value = Number(cell)
  if (type === 'number') return Number.isFinite(value) ? value : undefined
  return Number.isSafeInteger(value) ? value : undefined
}

export const isNumeric = (type: TableColumn['type']): boolean => type === 'number' || type === 'integer'

/** A time that calendars know; later and earlier ones are only numbers. */
export const timeIn = (cell: Cell): number | undefined => {
  const value = numberIn('time', cell)
  return value !== undefined && Math.abs(value) <= 8.64e15 ? value : undefined
}

export const textIn = (cell: Cell): string => (cell === null || cell === undefined ? '' : String(cell))
