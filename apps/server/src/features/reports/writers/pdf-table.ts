/** Tables of a PDF: the heads are repeated on each page; what is too long is cut, never pushed into the next column. */
import type { Cell, TableColumn } from '#features/jobs/door.ts'
import type { ReportTable } from '../content/report-data.ts'
import { colours, type PdfPage } from './pdf-page.ts'

const rowHeight = 18
const fontSize = 8.5
const padding = 6

const isNumber = ({ type }: TableColumn): boolean => type === 'number' || type === 'integer'
const textOf = (cell: Cell): string => (cell === null || cell === undefined ? '' : String(cell))

/** By the longest text of the first rows, within bounds; the rest is shared out. */
function widthsOf({ doc, width }: PdfPage, { columns, rows }: ReportTable): number[] {
  doc.fontSize(fontSize)
  const wanted = columns.map((column, at) => {
    const texts = [column.head, ...rows.slice(0, 200).map((row) => textOf(row[at]))]
    const longest = Math.max(...texts.map((text) => doc.widthOfString(text)))
    return Math.min(Math.max(longest, 36), 240) + 2 * padding
  })
  const sum = wanted.reduce((total, one) => total + one, 0)
  return wanted.map((one) => (one / sum) * width)
}

function drawRow(page: PdfPage, columns: TableColumn[], widths: number[], texts: string[], isHead: boolean): void {
  const { doc, left, width, y } = page
  if (isHead) doc.rect(left, y, width, rowHeight).fill(colours.tint)
  doc.fontSize(fontSize).fillColor(isHead ? colours.primary : colours.text)
  let x = left
  for (const [at, column] of columns.entries()) {
    const room = widths[at] ?? 0
    doc.text(texts[at] ?? '', x + padding, y + 4, {
      width: room - 2 * padding,
      height: rowHeight - 4,
      align: isNumber(column) ? 'right' : 'left',
      lineBreak: false,
      ellipsis: '…',
    })
    x += room
  }
  doc
    .moveTo(left, y + rowHeight)
    .lineTo(left + width, y + rowHeight)
    .lineWidth(0.5)
    .strokeColor(colours.line)
    .stroke()
  page.y += rowHeight
}

export function drawTable(page: PdfPage, table: ReportTable, words: { note: string; none: string }): void {
  const { doc } = page
  if (!page.fits(60)) page.newPage()
  doc.fontSize(12).fillColor(colours.text).text(table.title, page.left, page.y, { lineBreak: false })
  page.y += 22
  const widths = widthsOf(page, table)
  const heads = table.columns.map(({ head }) => head)
  drawRow(page, table.columns, widths, heads, true)
  for (const row of table.rows) {
    if (!page.fits(rowHeight)) {
      page.newPage()
      drawRow(page, table.columns, widths, heads, true)
    }
    drawRow(page, table.columns, widths, row.map(textOf), false)
  }
  const note = table.rows.length === 0 ? words.none : words.note
  if (note) {
    if (!page.fits(rowHeight)) page.newPage()
    doc
      .fontSize(fontSize)
      .fillColor(colours.quiet)
      .text(note, page.left + padding, page.y + 5, { lineBreak: false })
    page.y += rowHeight
  }
  page.y += 16
}
