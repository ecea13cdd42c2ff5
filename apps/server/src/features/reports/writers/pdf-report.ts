/** A report as PDF: title and period, figures in a row, lines of properties, then the tables. */
import type { Readable } from 'node:stream'
import { sayKept, type Translate } from '@ithings/contract/text.ts'
import type { ReportData } from '../content/report-data.ts'
import { makeTimeText } from '../periods.ts'
import { drawChart } from './pdf-chart.ts'
import { colours, numberPages, openPdf, type PdfPage } from './pdf-page.ts'
import { drawTable } from './pdf-table.ts'

/** Nobody reads more on paper; the other formats have all. */
const mostRows = 2_000

function drawHead(page: PdfPage, title: string, period: string): void {
  const { doc, left, width } = page
  doc.rect(left, page.y, 4, 40).fill(colours.primary)
  doc.fontSize(20).fillColor(colours.text)
  doc.text(title, left + 14, page.y - 3, { width: width - 14, height: 28, lineBreak: false, ellipsis: '…' })
  doc
    .fontSize(10)
    .fillColor(colours.quiet)
    .text(period, left + 14, page.y + 27, { lineBreak: false })
  page.y += 60
}

function drawFacts(page: PdfPage, facts: Array<{ label: string; value: string }>): void {
  const { doc, left, width } = page
  const gap = 12
  const room = (width - gap * (facts.length - 1)) / facts.length
  for (const [at, { label, value }] of facts.entries()) {
    const x = left + at * (room + gap)
    doc.roundedRect(x, page.y, room, 56, 6).fillAndStroke(colours.head, colours.line)
    doc.fontSize(9).fillColor(colours.quiet)
    doc.text(label, x + 12, page.y + 9, { width: room - 24, lineBreak: false, ellipsis: '…' })
    doc.fontSize(18).fillColor(colours.text)
    doc.text(value, x + 12, page.y + 24, { width: room - 24, lineBreak: false, ellipsis: '…' })
  }
  page.y += 76
}

export async function pdfReport(data: ReportData, t: Translate): Promise<Readable> {
  const { title, facts, charts, tables, from, to, timeZone: zone } = data
  const timeText = makeTimeText(zone)
  const page = await openPdf(title)
  const period = t('统计时段：{from} 至 {to}（{zone}）', { from: timeText(from), to: timeText(to), zone })
  drawHead(page, title, period)
  drawFacts(
    page,
    facts.map(({ label, value }) => ({ label: sayKept(label, t), value })),
  )
  for (const chart of charts) drawChart(page, chart, timeText)
  for (const table of tables) {
    const all = table.rows.length
    const note =
      all > mostRows
        ? t('共 {all, number} 行，这里只有前 {shown, number} 行；XLSX 和 CSV 包含全部', { all, shown: mostRows })
        : ''
    drawTable(page, { ...table, rows: table.rows.slice(0, mostRows) }, { note, none: t('这段时间没有记录') })
  }
  numberPages(page, `${title}　${period}`, (number, count) => t('第 {number} / {count} 页', { number, count }))
  page.doc.end()
  return page.doc as unknown as Readable
}
