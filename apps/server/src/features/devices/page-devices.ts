/**
 * One page of device ids and the true total, quickly among a million (goals.md "Lists"). Two ways: where device_tally
 * knows the total, the page is read along the index of the order; any other filter has to visit every match for the
 * total anyway, so the same visit collects the page.
 */
import { AppError, errors } from '@ithings/contract/errors.ts'
import type { deviceSortFields } from '@ithings/contract/features/devices/info.ts'
import { type PageInput, pageWindow, SortDirection } from '@ithings/contract/paging.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#db/schema.ts'
import { type DeviceScope, scopeCondition, tallyCondition } from './device-scope.ts'

const columns = {
  deviceName: ['device_name'],
  deviceAlias: ['device_alias'],
  productID: ['product_id', 'device_name'],
  version: ['version'],
  isOnline: ['is_online'],
  firstLogin: ['first_login'],
  lastLogin: ['last_login'],
  createdTime: ['created_at'],
  logLevel: ['log_level'],
} as const satisfies Record<(typeof deviceSortFields)[number], readonly string[]>

/** Below this many matches sorting them is quicker than any walk along an index. */
const fewMatches = 2_000

interface OrderTerm {
  column: string
  desc: boolean
}

/** The device id decides among equals, in the direction of the last order, so that one index serves both ways. */
function orderTerms(page: PageInput): OrderTerm[] {
  const orders = page?.orders ?? []
  const terms: OrderTerm[] = []
  for (const { field, sort } of orders) {
    const found = Object.hasOwn(columns, field) ? columns[field as keyof typeof columns] : undefined
    if (!found) {
      throw new AppError(errors.parameter, {
        detail: `不能按 ${field} 排序，可用：${Object.keys(columns).join('、')}`,
      })
    }
    terms.push(...found.map((column) => ({ column, desc: sort === SortDirection.desc })))
  }
  if (terms.length === 0) terms.push({ column: 'created_at', desc: true })
  return [...terms, { column: 'device_id', desc: terms.at(-1)?.desc ?? false }]
}

/** Never comes before all times: first upwards, last downwards. */
const orderBy = (terms: OrderTerm[], reverse = false): RawBuilder<unknown> =>
  sql.join(
    terms.map(({ column, desc }) =>
      desc === reverse ? sql`${sql.ref(column)} asc nulls first` : sql`${sql.ref(column)} desc nulls last`,
    ),
  )

export interface PageOfIDs {
  ids: number[]
  total: number
}

export async function tallyTotal(db: Db, scope: DeviceScope): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(devices), 0)::bigint as total from device_tally where ${tallyCondition(scope)}`.execute(db)
  return rows[0]?.total ?? 0
}

/** Every match is visited once, for the total and for the page. */
async function collect(db: Db, scope: DeviceScope, page: PageInput, terms: OrderTerm[]): Promise<PageOfIDs> {
  const { size } = pageWindow(page, 0)
  const wanted = Math.max(page?.page ?? 1, 1) - 1
  const needed = sql.join([...new Set(['device_id', ...terms.map((term) => term.column)])].map((name) => sql.ref(name)))
  const { rows } = await sql<{ total: number; ids: number[] | null }>`
    with matches as materialized (select ${needed} from device where ${scopeCondition(scope)}),
    counted as (select count(*) as total from matches)
    select total, array(
      select device_id from matches order by ${orderBy(terms)} limit ${size}
      offset least(${wanted}::bigint, greatest((total + ${size}::int - 1) / ${size}::int - 1, 0)) * ${size}::int
    ) as ids
    from counted`.execute(db)
  return { total: rows[0]?.total ?? 0, ids: (rows[0]?.ids ?? []).map(Number) }
}

/** From the nearer end; an order is read backwards by turning it around. */
async function walk(db: Db, scope: DeviceScope, page: PageInput, terms: OrderTerm[], total: number): Promise<number[]> {
  const { offset, limit } = pageWindow(page, total)
  const length = Math.min(limit, total - offset)
  const fromEnd = total - offset - length
  const reverse = fromEnd < offset
  const { rows } = await sql<{ device_id: number }>`
    select device_id from device where ${scopeCondition(scope)}
    order by ${orderBy(terms, reverse)} limit ${length} offset ${reverse ? fromEnd : offset}`.execute(db)
  const ids = rows.map((row) => row.device_id)
  return reverse ? ids.reverse() : ids
}

export async function pageDevices(db: Db, scope: DeviceScope, page: PageInput): Promise<PageOfIDs> {
  const terms = orderTerms(page)
  if (scope.empty) return { ids: [], total: 0 }
  if (scope.others.length > 0) return collect(db, scope, page, terms)
  const total = await tallyTotal(db, scope)
  if (total === 0) return { ids: [], total }
  if (total <= fewMatches) return collect(db, scope, page, terms)
  return { ids: await walk(db, scope, page, terms, total), total }
}
