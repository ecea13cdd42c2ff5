import { Readable } from 'node:stream'
import { sayKept } from '@ithings/contract/text.ts'
import { translatorOf } from '#http/answer-language.ts'
import { csvHead, csvLine } from './csv-text.ts'
import type { JobContext } from './job-kinds.ts'

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

interface CsvExport<Row> {
  fileName: string
  /** Chinese, as in the code. */
  heads: readonly string[]
  portions: AsyncIterable<Row[]>
  /** Those that are kept sentences are said. */
  cells(row: Row): string[]
  /** How many there will be, as far as it is known by now. */
  total?(): number
}

/** The work of an export: one file, written while it is read. */
export async function exportCsv<Row>(
  { language, progress, keepFile }: Pick<JobContext<unknown>, 'language' | 'progress' | 'keepFile'>,
  { fileName, heads, portions, cells, total = () => 0 }: CsvExport<Row>,
): Promise<{ total: number }> {
  const by = translatorOf(language)
  let written = 0
  async function* content() {
    yield csvHead(heads.map((head) => by(head)))
    for await (const rows of portions) {
      written += rows.length
      await progress(written, Math.max(total(), written))
      yield rows.map((row) => csvLine(cells(row).map((cell) => sayKept(cell, by)))).join('')
    }
  }
  await keepFile(fileName, Readable.from(content()))
  await progress(written, written)
  return { total: written }
}
