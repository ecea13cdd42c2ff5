import { csvHead, csvLine } from '../csv-text.ts'
import { type Cell, isNumeric, numberIn, type TableColumn, textIn, timeIn } from './table.ts'

function csvCell({ type }: TableColumn, cell: Cell): string | number {
  if (isNumeric(type)) return numberIn(type, cell) ?? textIn(cell)
  const time = type === 'time' ? timeIn(cell) : undefined
  return time === undefined ? textIn(cell) : new Date(time).toISOString()
}

/** Times are ISO 8601 in UTC. */
export async function* csvTable(columns: TableColumn[], portions: AsyncIterable<Cell[][]>): AsyncGenerator<string> {
  yield csvHead(columns.map(({ head }) => head))
  for await (const rows of portions) {
    yield rows.map((row) => csvLine(columns.map((column, at) => csvCell(column, row[at])))).join('')
  }
}
