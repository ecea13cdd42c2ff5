/** A document on A4 in landscape: margins, colours, and a place that moves down and on to the next page. */
import { readReportFont } from './report-font.ts'

export const colours = {
  primary: '#2F54EB',
  tint: '#EEF2FF',
  text: '#171C2E',
  quiet: '#626B80',
  line: '#EAEDF3',
  head: '#F8F9FC',
} as const
export const margin = 40
/** Of the foot with the page number. */
const footHeight = 24

export interface PdfPage {
  doc: PDFKit.PDFDocument
  left: number
  width: number
  /** Where the next thing goes. */
  y: number
  /** Whether so much still fits on this page. */
  fits(height: number): boolean
  newPage(): void
}

export async function openPdf(title: string): Promise<PdfPage> {
  // It unpacks its tables of letters while it is read: only who writes such a report waits for that.
  const { default: PDFDocument } = await import('pdfkit')
  const doc = new PDFDocument({
    size: 'A4',
    layout: 'landscape',
    margin,
    bufferPages: true,
    info: { Title: title, Creator: 'iThings Core' },
    font: null as unknown as string,
  })
  doc.registerFont('text', await readReportFont())
  doc.font('text')
  const { width, height } = doc.page
  const page: PdfPage = {
    doc,
    left: margin,
    width: width - 2 * margin,
    y: margin,
    fits: (wanted) => page.y + wanted <= height - margin - footHeight,
    newPage() {
      doc.addPage()
      page.y = margin
    },
  }
  return page
}

/** At the very end, when it is known how many there are. */
export function numberPages(
  { doc, left, width }: PdfPage,
  foot: string,
  numberOf: (page: number, all: number) => string,
) {
  const { start, count } = doc.bufferedPageRange()
  for (let page = 0; page < count; page += 1) {
    doc.switchToPage(start + page)
    const y = doc.page.height - margin - 10
    // Text below the margin would open another page.
    doc.page.margins.bottom = 0
    doc.fontSize(8).fillColor(colours.quiet)
    doc.text(foot, left, y, { width: width - 120, lineBreak: false, ellipsis: true })
    doc.text(numberOf(page + 1, count), left, y, { width, align: 'right', lineBreak: false })
    doc.page.margins.bottom = margin
  }
}
