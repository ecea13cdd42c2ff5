/** From the rows of a list to the cells of a table. */
import { AppError, errors } from '@ithings/contract/errors.ts'
import type { ExportColumn } from '@ithings/contract/features/jobs.ts'
import { phrase, sayKept, type Translate } from '@ithings/contract/text.ts'
import type { Tag } from '@ithings/contract/wire.ts'
import * as z from 'zod'
import type { Cell, TableColumn } from '../tables/table.ts'
import type { Row } from './read-rows.ts'

/** What a schema holds when nothing says that it may be absent. */
function bare(schema: z.ZodType | undefined): z.ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return bare(schema.unwrap() as z.ZodType)
  return schema instanceof z.ZodPipe ? bare(schema.in as z.ZodType) : schema
}

const fieldOf = (schema: z.ZodType | undefined, name: string): z.ZodType | undefined => {
  const object = bare(schema)
  return object instanceof z.ZodObject ? bare(object.shape[name] as z.ZodType | undefined) : undefined
}

const along = (path: string): string[] => path.split('.')

/** The schema of one row; refused when the answer has no rows there. */
export function rowSchema(data: z.ZodType, rows: string): z.ZodType {
  const list = along(rows).reduce<z.ZodType | undefined>(fieldOf, data)
  if (!(list instanceof z.ZodArray)) {
    throw new AppError(errors.parameter, {
      detail: phrase('返回值中没有列表 {rows}，不能导出', { rows }),
      field: 'rows',
    })
  }
  return list.element as z.ZodType
}

function typeOf(schema: z.ZodType | undefined): TableColumn['type'] {
  if (schema instanceof z.ZodBoolean) return 'boolean'
  if (schema instanceof z.ZodNumberFormat) return 'integer'
  return schema instanceof z.ZodNumber ? 'number' : 'text'
}

const columnType = ({ key, type, labels }: ExportColumn, row: z.ZodType): TableColumn['type'] => {
  if (labels) return 'text'
  if (type) return type
  return typeOf(along(key).reduce<z.ZodType | undefined>(fieldOf, row))
}

/** All fields of a row, for who names none. */
export const allColumns = (row: z.ZodType): ExportColumn[] => {
  const object = bare(row)
  const keys = object instanceof z.ZodObject ? Object.keys(object.shape) : ['']
  return keys.map((key) => ({ key }))
}

export const tableColumns = (columns: ExportColumn[], row: z.ZodType): TableColumn[] =>
  columns.map((column) => ({ head: column.head || column.key, type: columnType(column, row) }))

const valueAt = (row: unknown, key: string): unknown =>
  key === ''
    ? row
    : along(key).reduce<unknown>(
        (value, name) => (value !== null && typeof value === 'object' ? (value as Row)[name] : undefined),
        row,
      )

/** Below it a time is seconds (year 5138), above it milliseconds (1973), as the console tells them apart. */
const secondsBelow = 100_000_000_000

/** 0 is no time: lists say so where something never happened. */
const timeOf = (value: unknown): Cell => {
  const time = Number(value ?? 0)
  if (!Number.isFinite(time) || time === 0) return undefined
  return time < secondsBelow ? time * 1000 : time
}

const isTag = (value: unknown): value is Tag =>
  typeof value === 'object' && value !== null && 'key' in value && 'value' in value

/** As people read it: of tags and of several values a list. */
const joined = (values: unknown[], by: Translate): string =>
  values.every(isTag)
    ? values.map(({ key, value }) => `${key}:${value}`).join(';')
    : values.map((one) => plain(one, by) ?? '').join(';')

function plain(value: unknown, by: Translate): Cell {
  if (value === null || value === undefined || typeof value === 'number' || typeof value === 'boolean') return value
  if (Array.isArray(value)) return joined(value, by)
  return sayKept(typeof value === 'string' ? value : JSON.stringify(value), by)
}

/** Words for values that have them; of several values each, as a list shows them. */
function labelled(labels: Record<string, string>, value: unknown, of: string, by: Translate): Cell {
  if (Array.isArray(value)) return value.map((one) => labelled(labels, one, of, by)).join(';')
  const name = `${of}${value}`
  return Object.hasOwn(labels, name) ? labels[name] : plain(value, by)
}

export const cellsOf =
  (columns: ExportColumn[], by: Translate) =>
  (row: Row): Cell[] =>
    columns.map(({ key, type, labels, per }) => {
      const value = valueAt(row, key)
      if (labels) return labelled(labels, value, per === undefined ? '' : `${valueAt(row, per)}:`, by)
      if (type === 'time') return timeOf(value)
      return plain(value, by)
    })

export const rowsIn = (answer: unknown, rows: string): Row[] => (valueAt(answer, rows) as Row[] | undefined) ?? []
