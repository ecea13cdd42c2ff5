/** XLSX: the sheets are packed while their rows come. What is beyond Excel's rows goes on in another sheet. */
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { ZipFile } from 'yazl'
import type { Cell, TableColumn, TableOptions } from './table.ts'
import { wallClock } from './wall-clock.ts'
import {
  contentTypes,
  packageParts,
  rowsOf,
  sheetEnd,
  sheetNames,
  sheetStart,
  styles,
  workbook,
  workbookParts,
} from './xlsx-text.ts'

const excelRows = 1_048_576

/** Hands out rows in portions, and what is left of a portion to whoever asks next. */
function rowSource(portions: AsyncIterable<Cell[][]>) {
  const iterator = portions[Symbol.asyncIterator]()
  let rest: Cell[][] = []
  async function fill(): Promise<boolean> {
    while (rest.length === 0) {
      const next = await iterator.next()
      if (next.done) return false
      rest = next.value
    }
    return true
  }
  return {
    /** Whether there are more rows. */
    fill,
    take(limit: number): Cell[][] {
      const taken = rest.slice(0, limit)
      rest = rest.slice(limit)
      return taken
    },
    close: async () => void (await iterator.return?.()),
  }
}

export async function* xlsxTable(
  columns: TableColumn[],
  portions: AsyncIterable<Cell[][]>,
  { timeZone, title = '', sheetRows = excelRows }: TableOptions,
): AsyncGenerator<Buffer> {
  const source = rowSource(portions)
  const write = rowsOf(columns, wallClock(timeZone))
  async function* sheet() {
    yield sheetStart(columns)
    for (let next = 2; next <= sheetRows && (await source.fill()); ) {
      const rows = source.take(sheetRows + 1 - next)
      yield write(rows, next)
      next += rows.length
    }
    yield sheetEnd
  }
  const zip = new ZipFile()
  const packed = zip.outputStream as Readable
  zip.on('error', (error: Error) => packed.destroy(error))
  let current: Readable | undefined
  async function pack(): Promise<void> {
    zip.addBuffer(Buffer.from(contentTypes), '[Content_Types].xml')
    zip.addBuffer(Buffer.from(packageParts), '_rels/.rels')
    let sheets = 0
    do {
      sheets += 1
      current = Readable.from(sheet(), { objectMode: false })
      zip.addReadStream(current, `xl/worksheets/sheet${sheets}.xml`)
      await finished(current)
    } while (await source.fill())
    zip.addBuffer(Buffer.from(styles), 'xl/styles.xml')
    zip.addBuffer(Buffer.from(workbookParts(sheets)), 'xl/_rels/workbook.xml.rels')
    zip.addBuffer(Buffer.from(workbook(sheetNames(title, sheets))), 'xl/workbook.xml')
    zip.end()
  }
  pack().catch((error: Error) => packed.destroy(error))
  try {
    for await (const piece of packed) yield piece
  } finally {
    current?.destroy()
    await source.close()
  }
}
