/** XLSX of several small tables, one sheet each; a large one comes alone (xlsx-table.ts). */
import type { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { Cell, TableColumn } from './table.ts'
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

export interface Sheet {
  title: string
  columns: TableColumn[]
  /** No more than a sheet of Excel has. */
  rows: Cell[][]
}

/** @param timeZone IANA name, for columns of times */
export function workbookFile(sheets: readonly Sheet[], timeZone?: string): Readable {
  const zip = new ZipFile()
  const add = (path: string, text: string) => zip.addBuffer(Buffer.from(text), path)
  add('[Content_Types].xml', contentTypes)
  add('_rels/.rels', packageParts)
  for (const [at, { columns, rows }] of sheets.entries()) {
    const written = rowsOf(columns, wallClock(timeZone))(rows, 2)
    add(`xl/worksheets/sheet${at + 1}.xml`, sheetStart(columns) + written + sheetEnd)
  }
  add('xl/styles.xml', styles)
  add('xl/_rels/workbook.xml.rels', workbookParts(sheets.length))
  add('xl/workbook.xml', workbook(sheets.flatMap(({ title }) => sheetNames(title, 1))))
  zip.end()
  return zip.outputStream as Readable
}
