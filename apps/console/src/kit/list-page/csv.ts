/** A cell that a spreadsheet would run as a formula is made plain text by a leading apostrophe. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  const text = String(value)
  // A plain number keeps its minus: only text can be a formula.
  const risky = /^[=+\-@＝＋－＠\t\r]/.test(text) && !/^[+-]?\d+(\.\d+)?$/.test(text)
  const safe = risky ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** UTF-8 with a byte order mark, so that spreadsheets read Chinese. */
export const toCsv = (rows: readonly (readonly unknown[])[]): string =>
  `\uFEFF${rows.map((row) => row.map(csvCell).join(',')).join('\r\n')}\r\n`
