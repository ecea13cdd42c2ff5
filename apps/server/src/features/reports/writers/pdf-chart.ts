/** A line over time with three marks at the side: enough to see how a property went. */
import type { ReportChart } from '../content/report-data.ts'
import { colours, type PdfPage } from './pdf-page.ts'

const height = 120
const axisWidth = 46

export const numberText = (value: number): string => {
  const digits = Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 10 ? 1 : 2
  return value.toFixed(digits)
}

export function drawChart(page: PdfPage, { title, points }: ReportChart, timeText: (time: number) => string): void {
  if (!page.fits(height + 50)) page.newPage()
  const { doc, left, width } = page
  doc.fontSize(10).fillColor(colours.text).text(title, left, page.y, { lineBreak: false })
  const top = page.y + 20
  const values = points.map(({ value }) => value)
  const [low, high] = [Math.min(...values), Math.max(...values)]
  const room = high - low || 1
  const first = points[0]?.time ?? 0
  const last = points.at(-1)?.time ?? 1
  const x = (time: number) => left + axisWidth + ((time - first) / (last - first || 1)) * (width - axisWidth)
  const y = (value: number) => top + height - ((value - low) / room) * height
  for (const mark of high === low ? [low] : [low, (low + high) / 2, high]) {
    doc
      .moveTo(left + axisWidth, y(mark))
      .lineTo(left + width, y(mark))
      .lineWidth(0.5)
      .strokeColor(colours.line)
      .stroke()
    doc.fontSize(8).fillColor(colours.quiet)
    doc.text(numberText(mark), left, y(mark) - 5, { width: axisWidth - 8, align: 'right', lineBreak: false })
  }
  for (const [at, { time, value }] of points.entries()) {
    if (at === 0) doc.moveTo(x(time), y(value))
    else doc.lineTo(x(time), y(value))
  }
  doc.lineWidth(1.5).lineJoin('round').strokeColor(colours.primary).stroke()
  doc.fontSize(8).fillColor(colours.quiet)
  doc.text(timeText(first), left + axisWidth, top + height + 6, { lineBreak: false })
  doc.text(timeText(last), left, top + height + 6, { width, align: 'right', lineBreak: false })
  page.y = top + height + 32
}
