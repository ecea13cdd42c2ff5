/** XLSX: a sheet for each table, packed while its rows come. What is beyond Excel's rows goes on in another sheet. */
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

export interface SheetTable {
  title: string
  columns: TableColumn[]
  portions: AsyncIterable<Cell[][]>
}

export async function* xlsxTables(
  tables: readonly SheetTable[],
  { timeZone, sheetRows = excelRows }: Omit<TableOptions, 'title'> = {},
): AsyncGenerator<Buffer> {
  const zip = new ZipFile()
  const packed = zip.outputStream as Readable
  zip.on('error', (error: Error) => packed.destroy(error))
  const sources = tables.map(({ portions }) => rowSource(portions))
  const names: string[] = []
  let current: Readable | undefined
  const add = (path: string, text: string) => zip.addBuffer(Buffer.from(text), path)
  async function* sheet(columns: TableColumn[], source: ReturnType<typeof rowSource>) {
    const write = rowsOf(columns, wallClock(timeZone))
    yield sheetStart(columns)
    for (let next = 2; next <= sheetRows && (await source.fill()); ) {
      const rows = source.take(sheetRows + 1 - next)
      yield write(rows, next)
      next += rows.length
    }
    yield sheetEnd
  }
  async function packTable({ title, columns }: SheetTable, source: ReturnType<typeof rowSource>): Promise<void> {
    let sheets = 0
    do {
      sheets += 1
      current = Readable.from(sheet(columns, source), { objectMode: false })
      zip.addReadStream(current, `xl/worksheets/sheet${names.length + sheets}.xml`)
      await finished(current)
    } while (await source.fill())
    names.push(...sheetNames(title, sheets))
  }
  async function pack(): Promise<void> {
    add('[Content_Types].xml', contentTypes)
    add('_rels/.rels', packageParts)
    for (const [at, table] of tables.entries()) await packTable(table, sources[at] as ReturnType<typeof rowSource>)
    add('xl/styles.xml', styles)
    add('xl/_rels/workbook.xml.rels', workbookParts(names.length))
    add('xl/workbook.xml', workbook(names))
    zip.end()
  }
  pack().catch((error: Error) => packed.destroy(error))
  try {
    for await (const piece of packed) yield piece
  } finally {
    current?.destroy()
    for (const source of sources) await source.close()
  }
}
