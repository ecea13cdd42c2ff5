import type { TableFormat } from '@ithings/contract/features/jobs.ts'
import { sayKept } from '@ithings/contract/text.ts'
import { translatorOf } from '#http/answer-language.ts'
import type { JobContext } from './job-kinds.ts'
import type { Cell, TableColumn } from './tables/table.ts'
import { tableFile } from './tables/table-file.ts'

const portion = 1_000

/** Row after row along a number that rises, a portion at a time. */
export async function* inPortions<Row>(
  read: (after: number, limit: number) => Promise<Row[]>,
  placeOf: (row: Row) => number,
): AsyncGenerator<Row[]> {
  for (let last = 0; ; ) {
    const rows = await read(last, portion)
    yield rows
    const end = rows.at(-1)
    if (!end || rows.length < portion) return
    last = placeOf(end)
  }
}

interface TableExport<Row> {
  /** Of the file, without its ending. */
  name: string
  /** Jobs of older servers do not say it. */
  format: TableFormat | undefined
  /** Heads are Chinese, as in the code, or in the language of who asked. */
  columns: TableColumn[]
  portions: AsyncIterable<Row[]>
  /** Those that are kept sentences are said. */
  cells(row: Row): Cell[]
  /** How many there will be, as far as it is known by now. */
  total?(): number
  timeZone?: string | undefined
}

/** The work of an export: one file, written while it is read. */
export async function exportTable<Row>(
  { language, progress, keepFile }: Pick<JobContext<unknown>, 'language' | 'progress' | 'keepFile'>,
  { name, format = 'csv', columns, portions, cells, total = () => 0, timeZone }: TableExport<Row>,
): Promise<{ total: number }> {
  const by = translatorOf(language)
  const said = (cell: Cell): Cell => (typeof cell === 'string' ? sayKept(cell, by) : cell)
  let written = 0
  async function* rows() {
    for await (const read of portions) {
      for (let at = 0; at < read.length; at += portion) {
        yield read.slice(at, at + portion).map((row) => cells(row).map(said))
      }
      written += read.length
      await progress(written, Math.max(total(), written))
    }
  }
  const heads = columns.map(({ head, type }) => ({ head: by(head), type }))
  const options = { title: name, ...(timeZone ? { timeZone } : {}) }
  await keepFile(`${name}.${format}`, tableFile(format, heads, rows(), options))
  await progress(written, written)
  return { total: written }
}
