/** Answers as people or programs read them: tables and lines, JSON, YAML. */
import { isRecord } from '@ithings/contract/is-record.ts'
import { t } from '@ithings/contract/text.ts'
import { stringify } from 'yaml'
import { type Place, say, tell } from './place.ts'
import { clip, harmless, pad, widthOf } from './width.ts'

export interface Format {
  json?: boolean | undefined
  yaml?: boolean | undefined
  columns?: string | undefined
}

const widestCell = 48

const two = (value: number) => String(value).padStart(2, '0')
function localTime(ms: number): string {
  const at = new Date(ms)
  const day = [at.getFullYear(), two(at.getMonth() + 1), two(at.getDate())].join('-')
  return `${day} ${[at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':')}`
}

/** Times travel as seconds or milliseconds (http-api.md 1 "Time fields"); which of them is seen by their length. */
function cellOf(name: string, value: unknown): string {
  if (value === undefined || value === null) return ''
  const isMoment = /(time|timestamp|At)$/i.test(name) && /^\d{10}(\d{3})?$/.test(String(value))
  if (isMoment) return localTime(Number(value) * (String(value).length === 10 ? 1000 : 1))
  return harmless(typeof value === 'object' ? JSON.stringify(value) : String(value))
}

type Row = Record<string, unknown>

/** Columns of single values first, as the answer has them; those that hold lists or objects only where they are asked for. */
function columnsOf(rows: readonly Row[], asked: string | undefined): string[] {
  const all = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  if (asked !== undefined) return asked.split(',').map((one) => one.trim())
  const simple = all.filter((name) => rows.every((row) => typeof row[name] !== 'object' || row[name] === null))
  return simple.length > 0 ? simple : all
}

/** As many columns as the terminal has room for; without a terminal all of them, uncut. */
export function table(
  rows: readonly Row[],
  width: number | undefined,
  asked?: string,
): { lines: string[]; left: string[] } {
  const columns = columnsOf(rows, asked).map((name) => {
    const cells = rows.map((row) => cellOf(name, row[name]))
    const natural = Math.max(widthOf(name), ...cells.map(widthOf))
    return { name, cells, width: width === undefined ? natural : Math.min(natural, widestCell, width) }
  })
  let room = width ?? Number.POSITIVE_INFINITY
  const shown = columns.filter((column, i) => {
    // The first stays, however narrow the terminal is; from the first that does not fit on, none.
    room -= column.width + (i > 0 ? 2 : 0)
    return i === 0 || room >= 0
  })
  const line = (cell: (column: (typeof columns)[number]) => string) =>
    shown
      .map((column) => pad(clip(cell(column), column.width), column.width))
      .join('  ')
      .trimEnd()
  const lines = [line(({ name }) => name), ...rows.map((_, i) => line(({ cells }) => cells[i] ?? ''))]
  return { lines, left: columns.filter((column) => !shown.includes(column)).map(({ name }) => name) }
}

/** The rows of an answer: its `list`, or its only array of objects. */
function rowsOf(data: unknown): { rows: Row[]; total: number | undefined } | undefined {
  if (!isRecord(data)) return undefined
  const arrays = Object.entries(data).filter(([, value]) => Array.isArray(value) && value.every(isRecord))
  const only = Object.keys(data).length <= 2 ? arrays[0] : undefined
  const [, rows] = arrays.find(([name]) => name === 'list') ?? only ?? []
  if (!Array.isArray(rows)) return undefined
  return { rows: rows as Row[], total: typeof data.total === 'number' ? data.total : undefined }
}

function lines(data: Row): string[] {
  const widest = Math.max(0, ...Object.keys(data).map(widthOf))
  return Object.entries(data).map(([name, value]) => `${pad(name, widest)}  ${cellOf(name, value)}`.trimEnd())
}

export function show(place: Place, data: unknown, { json, yaml, columns }: Format) {
  if (json) return say(place, JSON.stringify(data ?? null, undefined, 2))
  if (yaml) return place.out(stringify(data ?? null, { lineWidth: 0 }))
  if (data === undefined || data === null) return tell(place, t('完成'))
  const found = rowsOf(data)
  if (found) return showRows(place, found, columns)
  return say(place, isRecord(data) ? lines(data).join('\n') : cellOf('', data))
}

function showRows(place: Place, { rows, total = 0 }: { rows: Row[]; total: number | undefined }, columns?: string) {
  if (rows.length === 0) return tell(place, t('没有数据'))
  const { lines: drawn, left } = table(rows, place.width, columns)
  for (const line of drawn) say(place, line)
  if (total > rows.length) tell(place, t('显示 {shown} 行，共 {total} 行；--all 取全部', { shown: rows.length, total }))
  if (left.length > 0) tell(place, t('没有显示的列：{columns}', { columns: left.join(t('、')) }))
}
