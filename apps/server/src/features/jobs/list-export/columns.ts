/** From the rows of a list to the cells of a table. */
import { badField } from '@ithings/contract/errors.ts'
import type { ExportColumn } from '@ithings/contract/features/jobs.ts'
import { sayKept, type Translate } from '@ithings/contract/text.ts'
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
  // Text that something is looked for in is JSON, like what a job found: no schema says what is in it.
  if (object instanceof z.ZodString || object instanceof z.ZodUnknown) return z.unknown()
  return object instanceof z.ZodObject ? bare(object.shape[name] as z.ZodType | undefined) : undefined
}

const schemaAt = (schema: z.ZodType, path: string): z.ZodType | undefined =>
  path === '' ? bare(schema) : path.split('.').reduce<z.ZodType | undefined>(fieldOf, schema)

/** The schema of one row; figures that are no list are one row. Refused when the answer has neither there. */
export function rowSchema(data: z.ZodType, rows: string): z.ZodType {
  const found = schemaAt(data, rows)
  if (found instanceof z.ZodArray) return found.element as z.ZodType
  if (found instanceof z.ZodObject || found instanceof z.ZodUnknown) return found
  throw badField('rows', '返回值中没有列表 {rows}，不能导出', { rows })
}

function typeOf(schema: z.ZodType | undefined): TableColumn['type'] {
  if (schema instanceof z.ZodBoolean) return 'boolean'
  if (schema instanceof z.ZodNumberFormat) return 'integer'
  return schema instanceof z.ZodNumber ? 'number' : 'text'
}

const columnType = ({ key, type, labels }: ExportColumn, row: z.ZodType): TableColumn['type'] => {
  if (labels) return 'text'
  if (type) return type
  return typeOf(schemaAt(row, key))
}

/** All fields of a row, for who names none. */
export const allColumns = (row: z.ZodType): ExportColumn[] => {
  const object = bare(row)
  const keys = object instanceof z.ZodObject ? Object.keys(object.shape) : ['']
  return keys.map((key) => ({ key }))
}

export const tableColumns = (columns: ExportColumn[], row: z.ZodType): TableColumn[] =>
  columns.map((column) => ({ head: column.head || column.key, type: columnType(column, row) }))

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A field whose name has dots itself comes first; of several things it is the field of each. */
function valueAt(row: unknown, key: string): unknown {
  if (key === '') return row
  const within = typeof row === 'string' ? fromJson(row) : row
  if (within === null || typeof within !== 'object') return undefined
  if (Object.hasOwn(within, key)) return (within as Row)[key]
  const [first = '', ...rest] = key.split('.')
  if (Array.isArray(within) && !/^\d+$/.test(first)) return within.map((one) => valueAt(one, key))
  return rest.length > 0 && Object.hasOwn(within, first) ? valueAt((within as Row)[first], rest.join('.')) : undefined
}

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

export function rowsIn(answer: unknown, rows: string): Row[] {
  const found = valueAt(answer, rows)
  if (Array.isArray(found)) return found
  return found !== null && typeof found === 'object' ? [found as Row] : []
}
