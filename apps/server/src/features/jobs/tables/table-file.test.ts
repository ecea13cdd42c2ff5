import type { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type TableFormat, tableFormats } from '@ithings/contract/features/jobs.ts'
import { parse } from 'csv-parse/sync'
import { parquetMetadataAsync, parquetSchema } from 'hyparquet'
import { expect, test } from 'vitest'
import { readParquet, readXlsx, xlsxValues } from '#testing/read-table.ts'
import type { Cell, TableColumn, TableOptions } from './table.ts'
import { tableFile } from './table-file.ts'

const columns: TableColumn[] = [
  { head: '名称', type: 'text' },
  { head: '温度', type: 'number' },
  { head: '次数', type: 'integer' },
  { head: '在线', type: 'boolean' },
  { head: '时间', type: 'time' },
]
const moment = Date.UTC(2026, 10, 18, 7, 30, 15, 250)

async function* inOnes(rows: Cell[][]) {
  for (const row of rows) yield [row]
}

const written = async (format: TableFormat, rows: Cell[][], options: TableOptions = {}, heads = columns) =>
  new Uint8Array(await buffer(tableFile(format, heads, inOnes(rows), options)))

const csvRows = (file: Uint8Array): string[][] => parse(Buffer.from(file), { bom: true })

test('a CSV file has a mark of its bytes, times in UTC, and no cell that would be run', async () => {
  const file = await written('csv', [
    ['=1+1', -21.5, -3, true, moment],
    ['a,"b"\n', undefined, null, false, null],
  ])
  expect([...file.slice(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  expect(csvRows(file)).toEqual([
    ['名称', '温度', '次数', '在线', '时间'],
    ["'=1+1", '-21.5', '-3', 'true', '2026-11-18T07:30:15.250Z'],
    ['a,"b"\n', '', '', 'false', ''],
  ])
})

test('numbers that come as text are numbers; a text in their column is guarded, and too large ones stay exact', async () => {
  const rows = [['', '21.5', '12', '', ''] as Cell[], ['', '-x', '9007199254740993', '', ''] as Cell[]]
  expect(csvRows(await written('csv', rows)).slice(1)).toEqual([
    ['', '21.5', '12', '', ''],
    ['', "'-x", '9007199254740993', '', ''],
  ])
  const [sheet] = readXlsx(await written('xlsx', rows))
  expect(sheet?.rows[1]?.B).toMatchObject({ type: '', value: 21.5 })
  expect(sheet?.rows[2]?.C).toMatchObject({ type: 'inlineStr', value: '9007199254740993' })
})

test('an XLSX file has real dates of a zone, a frozen head, and texts that are no formulas', async () => {
  const long = '长'.repeat(40_000)
  const file = await written(
    'xlsx',
    [
      ['=HYPERLINK("x")&<b>', 1.5, 7, true, moment],
      ['\u0007 _x0041_ \ud800', null, undefined, false, moment - 250],
      [long, Number.NaN, 0, null, Date.UTC(1800, 0)],
    ],
    { timeZone: 'Asia/Shanghai', title: '设备/列表' },
  )
  const sheets = readXlsx(file)
  expect(sheets.map(({ name, frozen }) => ({ name, frozen }))).toEqual([{ name: '设备 列表', frozen: true }])
  const [head, first, second, third] = sheets[0]?.rows ?? []
  expect(Object.values(head ?? {}).map(({ value }) => value)).toEqual(columns.map((column) => column.head))
  expect(first?.A).toEqual({ type: 'inlineStr', style: '', value: '=HYPERLINK("x")&<b>' })
  expect(first?.D).toEqual({ type: 'b', style: '', value: true })
  // 15:30:15.25 in Shanghai, as days since the end of 1899.
  expect(first?.E?.style).toBe('3')
  expect(Math.round((Number(first?.E?.value) - 25_569) * 86_400_000)).toBe(moment + 8 * 3_600_000)
  expect(second?.E?.style).toBe('2')
  expect(second?.A?.value).toBe('\u0007 _x0041_ \ufffd')
  expect(second?.B).toBeUndefined()
  expect(String(third?.A?.value)).toHaveLength(32_767)
  expect(third?.B?.value).toBe('NaN')
  expect(third?.E).toEqual({ type: 'inlineStr', style: '', value: '1800-01-01T00:00:00.000Z' })
})

test('summer time counts where the zone has it', async () => {
  const times = [Date.UTC(2026, 2, 29, 0, 59, 59), Date.UTC(2026, 2, 29, 1, 0, 0)]
  const file = await written(
    'xlsx',
    times.map((time) => [time]),
    { timeZone: 'Europe/Berlin' },
    [{ head: 't', type: 'time' }],
  )
  const shown = readXlsx(file)[0]
    ?.rows.slice(1)
    .map(({ A }) => Math.round((Number(A?.value) - 25_569) * 86_400_000))
  expect(shown).toEqual([Date.UTC(2026, 2, 29, 1, 59, 59), Date.UTC(2026, 2, 29, 3, 0, 0)])
})

test('rows beyond the limit of a sheet go on in another with the same heads', async () => {
  const rows = Array.from({ length: 7 }, (_, at): Cell[] => [`n${at}`, at])
  const file = await written('xlsx', rows, { sheetRows: 4, title: 'long' }, columns.slice(0, 2))
  const sheets = readXlsx(file)
  expect(sheets.map(({ name }) => name)).toEqual(['long', 'long (2)', 'long (3)'])
  expect(sheets.map(({ rows }) => rows.length)).toEqual([4, 4, 2])
  expect(
    sheets.flatMap((sheet) =>
      xlsxValues(sheet)
        .slice(1)
        .map(([name]) => name),
    ),
  ).toEqual(rows.map(([name]) => name))
  // Exactly full is one sheet, not a second empty one.
  expect(readXlsx(await written('xlsx', rows.slice(0, 3), { sheetRows: 4 }, columns.slice(0, 2)))).toHaveLength(1)
})

test('a Parquet file has types of its own, timestamps and nulls', async () => {
  const file = await written('parquet', [
    ['泵', -21.5, 7, true, moment],
    ['', null, undefined, null, ''],
    ['z', 'no number', '12', false, String(moment)],
  ])
  expect(await readParquet(file)).toEqual([
    { 名称: '泵', 温度: -21.5, 次数: 7n, 在线: true, 时间: new Date(moment) },
    { 名称: '', 温度: null, 次数: null, 在线: null, 时间: null },
    { 名称: 'z', 温度: null, 次数: 12n, 在线: false, 时间: new Date(moment) },
  ])
  const schema = parquetSchema(await parquetMetadataAsync(file.slice().buffer as ArrayBuffer))
  expect(schema.children.map(({ element }) => element.type)).toEqual([
    'BYTE_ARRAY',
    'DOUBLE',
    'INT64',
    'BOOLEAN',
    'INT64',
  ])
  expect(schema.children[4]?.element.converted_type).toBe('TIMESTAMP_MILLIS')
})

test('columns of the same head stay apart in Parquet', async () => {
  const twice: TableColumn[] = [
    { head: '名称', type: 'text' },
    { head: '名称', type: 'text' },
  ]
  expect(await readParquet(await written('parquet', [['a', 'b']], {}, twice))).toEqual([{ 名称: 'a', '名称 (2)': 'b' }])
})

test('a table without rows is a file that opens', async () => {
  expect(csvRows(await written('csv', []))).toHaveLength(1)
  expect(readXlsx(await written('xlsx', []))[0]?.rows).toHaveLength(1)
  expect(await readParquet(await written('parquet', []))).toEqual([])
})

test.each(tableFormats)('a source that fails ends the %s file with its error', async (format) => {
  async function* failing() {
    yield [['a', 1, 1, true, 0] as Cell[]]
    throw new Error('the database is away')
  }
  await expect(buffer(tableFile(format, columns, failing()))).rejects.toThrow('the database is away')
})

test.each(tableFormats)('a %s file that nobody wants any more lets its source go', async (format) => {
  let state = 'not begun'
  async function* endless() {
    try {
      state = 'open'
      for (let at = 0; ; at++) yield Array.from({ length: 1000 }, (_, more): Cell[] => [`${at} ${more}`, at])
    } finally {
      state = 'closed'
    }
  }
  const file = tableFile(format, columns, endless())
  // To leave the loop destroys the file.
  for await (const _ of file) if (state === 'open') break
  await expect.poll(() => state).toBe('closed')
})

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** Memory that is really held. */
function held(): number {
  collect()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Reads to the end; what it measures on the way does not depend on how fast it goes. */
async function readThrough(file: Readable, rowsGiven: () => number, step: number) {
  const before = held()
  let most = 0
  let size = 0
  let next = step
  for await (const piece of file) {
    size += (piece as Buffer).length
    if (rowsGiven() < next) continue
    next += step
    most = Math.max(most, held() - before)
  }
  return { most, size }
}

test.each(tableFormats)('of 300,000 rows as %s only a few portions are ever held', async (format) => {
  const total = 300_000
  const text = 'x'.repeat(400)
  let given = 0
  async function* rows() {
    while (given < total) {
      yield Array.from({ length: 1000 }, (): Cell[] => [
        `${given++} ${text}`,
        given / 7,
        given,
        given % 2 === 0,
        moment + given,
      ])
    }
  }
  const { most, size } = await readThrough(tableFile(format, columns, rows()), () => given, total / 10)
  expect(given).toBe(total)
  expect(size).toBeGreaterThan(1_000_000)
  // All rows are 120 MB of text alone.
  expect(most).toBeLessThan(48 * 1024 * 1024)
})
