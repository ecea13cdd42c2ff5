/** CSV as spreadsheets read it: UTF-8 with a byte order mark, and no cell that a spreadsheet would run as a formula. */
const byteOrderMark = '\uFEFF'
const formulaStart = /^[=+\-@＝＋－＠\t\r]/

const textCell = (value: string): string => {
  const safe = formulaStart.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** A number is no formula, so that a minus stays what it is. */
const cell = (value: string | number): string => (typeof value === 'number' ? String(value) : textCell(value))

export const csvLine = (cells: readonly (string | number)[]): string => `${cells.map(cell).join(',')}\r\n`

export const csvHead = (cells: readonly string[]): string => byteOrderMark + csvLine(cells)

/** What csvLine had to change comes back as it was. */
export const unguard = (value: string): string => (/^'[=+\-@＝＋－＠\t\r]/.test(value) ? value.slice(1) : value)
