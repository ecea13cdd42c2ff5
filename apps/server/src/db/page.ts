/** Lists filter, sort and page on the server with the one rule of contract/paging.ts. */

import { errors, refusal } from '@ithings/contract/errors.ts'
import { type PageInput, type PageWindow, pageWindow, SortDirection } from '@ithings/contract/paging.ts'
import {
  type ExpressionBuilder,
  type ReferenceExpression,
  type SelectQueryBuilder,
  type StringReference,
  sql,
} from 'kysely'

type Query<DB, TB extends keyof DB, O> = SelectQueryBuilder<DB, TB, O>

export interface SortColumns<DB, TB extends keyof DB> {
  /** Wire name -> column. */
  columns: Record<string, ReferenceExpression<DB, TB>>
  /** Used when the caller names no order, and last, so that pages never overlap. */
  fallback: { column: ReferenceExpression<DB, TB>; desc: boolean }
  /** Which rows a page has; `pageWindow` by default. */
  window?: (page: PageInput, total: number) => PageWindow
}

export interface Page<O> {
  list: O[]
  total: number
}

/** By the wire name of a field; one that the list cannot be sorted by is refused with those that it can. */
export function sortColumn<T>(columns: Record<string, T>, field: string): T {
  const column = Object.hasOwn(columns, field) ? columns[field] : undefined
  if (column !== undefined) return column
  throw refusal(errors.parameter, '不能按 {field} 排序，可用：{fields}', { field, fields: Object.keys(columns) })
}

/** The rows of a page of a list whose size is known. */
export async function fetchRows<DB, TB extends keyof DB, O>(
  filtered: Query<DB, TB, object>,
  select: (query: Query<DB, TB, object>) => Query<DB, TB, O>,
  page: PageInput,
  sort: SortColumns<DB, TB>,
  total: number,
): Promise<O[]> {
  const window = (sort.window ?? pageWindow)(page, total)
  let ordered = select(filtered)
  for (const { field, sort: direction } of page?.orders ?? []) {
    ordered = ordered.orderBy(sortColumn(sort.columns, field), direction === SortDirection.desc ? 'desc' : 'asc')
  }
  ordered = ordered.orderBy(sort.fallback.column, sort.fallback.desc ? 'desc' : 'asc')
  return ordered.limit(window.limit).offset(window.offset).execute()
}

export async function fetchPage<DB, TB extends keyof DB, O>(
  filtered: Query<DB, TB, object>,
  select: (query: Query<DB, TB, object>) => Query<DB, TB, O>,
  page: PageInput,
  sort: SortColumns<DB, TB>,
): Promise<Page<O>> {
  const counted = await filtered.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
  const total = (counted as { total: number }).total
  return { list: await fetchRows(filtered, select, page, sort, total), total }
}

type Asked<DB, TB extends keyof DB> = { [Column in StringReference<DB, TB>]?: string | number | boolean | undefined }

/** The filter of a list: what the caller did not name asks nothing. Texts that are contained are so in any case. */
export function asked<DB, TB extends keyof DB>(
  eb: ExpressionBuilder<DB, TB>,
  { equal = {}, contains = {} }: { equal?: Asked<DB, TB>; contains?: Asked<DB, TB> },
) {
  const given = (columns: object) => Object.entries(columns).filter(([, value]) => value !== undefined)
  return eb.and([
    ...given(equal).map(([column, value]) => sql<boolean>`${sql.ref(column)} = ${value}`),
    ...given(contains).map(([column, text]) => sql<boolean>`${sql.ref(column)} ilike ${containsPattern(text)}`),
  ])
}

/** `contains` without letting the caller's text act as a pattern. */
export const containsPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`
