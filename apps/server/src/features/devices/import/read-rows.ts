/** From the bytes of the file to rows of text (http-api.md 4.2): UTF-8 with or without a mark, or GBK. */

import { AppError, badField, errors, refusal } from '@ithings/contract/errors.ts'
import { type ImportRow, importColumns, maxImportRows } from '@ithings/contract/features/devices/bulk.ts'
import { phrase } from '@ithings/contract/text.ts'
import { CsvError, parse } from 'csv-parse/sync'
import { unguard } from '#features/jobs/door.ts'

function decode(bytes: Uint8Array): string {
  // What spreadsheets call "Unicode text".
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    // Text in GBK is practically never valid UTF-8; gb18030 contains GBK.
  }
  try {
    return new TextDecoder('gb18030', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new AppError(errors.parameter, { detail: phrase('文件不是 UTF-8 或 GBK 编码的文本'), cause })
  }
}

function cellsOf(text: string): string[][] {
  try {
    return parse(text, {
      bom: true,
      relax_column_count: true,
      // Hand-edited files mix them; guessing from the first line would make one row of all the others.
      record_delimiter: ['\r\n', '\n', '\r'],
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
      to: maxImportRows + 2,
    })
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause
    throw refusal(errors.parameter, '第 {line} 行不是有效的 CSV，请检查引号', { line: cause.lines ?? '?' }, { cause })
  }
}

function toRow(cells: string[], row: number): ImportRow {
  const at = (name: (typeof importColumns)[number][0]) =>
    unguard((cells[importColumns.findIndex(([column]) => column === name)] ?? '').trim())
  return {
    row,
    productName: at('productName'),
    deviceName: at('deviceName'),
    deviceAlias: at('deviceAlias'),
    secret: at('secret'),
    logLevel: at('logLevel'),
    tags: at('tags'),
    position: at('position'),
    address: at('address'),
    tips: at('tips'),
  }
}

export interface ImportTable {
  headers: ImportRow
  rows: ImportRow[]
}

export function readRows(bytes: Uint8Array): ImportTable {
  const [head, ...body] = cellsOf(decode(bytes))
  if (!head) throw badField('file', '文件是空的')
  if (body.length > maxImportRows) {
    throw refusal(errors.outOfRange, '一次最多导入 {maxImportRows} 行', { maxImportRows }, { field: 'file' })
  }
  return { headers: toRow(head, 0), rows: body.map((cells, index) => toRow(cells, index + 1)) }
}
