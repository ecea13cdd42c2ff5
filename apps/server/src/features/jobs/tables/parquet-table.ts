/** Parquet: one row group after the other leaves for the file, so that only one of them is ever held. */
import type { BasicType } from 'hyparquet-writer'
import { type Cell, numberIn, type TableColumn, textIn, timeIn } from './table.ts'

/** A row group ends with so many rows, or with so much text. */
const groupRows = 10_000
const groupTextLength = 8 * 1024 * 1024

const parquetTypes: Record<TableColumn['type'], BasicType> = {
  text: 'STRING',
  number: 'DOUBLE',
  integer: 'INT64',
  boolean: 'BOOLEAN',
  time: 'TIMESTAMP',
}

type Value = string | number | bigint | boolean | Date | null

function parquetValue(type: TableColumn['type'], cell: Cell): Value {
  if (cell === null || cell === undefined) return null
  if (type === 'text') return textIn(cell)
  if (type === 'boolean') return typeof cell === 'boolean' ? cell : null
  if (type === 'time') {
    const time = timeIn(cell)
    return time === undefined ? null : new Date(time)
  }
  const value = numberIn(type, cell)
  if (value === undefined) return null
  return type === 'integer' ? BigInt(value) : value
}

/** Readers find columns by their names, so no two may be the same. */
function distinctNames(columns: TableColumn[]): string[] {
  const taken = new Set<string>()
  return columns.map(({ head }) => {
    let name = head
    for (let at = 2; taken.has(name); at++) name = `${head} (${at})`
    taken.add(name)
    return name
  })
}

const lengthOf = (row: Cell[]): number =>
  row.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0), 0)

export async function* parquetTable(
  columns: TableColumn[],
  portions: AsyncIterable<Cell[][]>,
): AsyncGenerator<Uint8Array> {
  // Few tables are such files: who makes none does without its modules.
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await import('hyparquet-writer')
  const names = distinctNames(columns)
  const columnsOf = (rows: Cell[][]) =>
    columns.map(({ type }, at) => ({
      name: names[at] ?? '',
      type: parquetTypes[type],
      data: rows.map((row) => parquetValue(type, row[at])),
      // An index of pages would only be held in memory until the end: a column has one or two pages in a group.
      offsetIndex: false,
    }))
  const writer = new ByteWriter()
  const file = new ParquetWriter({
    writer,
    schema: schemaFromColumnData({ columnData: columnsOf([]) }),
    createdBy: 'iThings Core',
  })
  /** The bytes that wait in the writer; it goes on counting from where it is in the file. */
  const take = (): Uint8Array => {
    const bytes = writer.getBytes().slice()
    writer.index = 0
    return bytes
  }
  let group: Cell[][] = []
  let length = 0
  for await (const rows of portions) {
    for (const row of rows) {
      group.push(row)
      length += lengthOf(row)
      if (group.length < groupRows && length < groupTextLength) continue
      await file.write({ columnData: columnsOf(group), rowGroupSize: group.length })
      yield take()
      group = []
      length = 0
    }
  }
  if (group.length > 0) await file.write({ columnData: columnsOf(group), rowGroupSize: group.length })
  await file.finish()
  yield take()
}
