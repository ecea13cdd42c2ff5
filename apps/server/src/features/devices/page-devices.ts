/**
 * One page of device ids and the true total, quickly among a million (goals.md "Lists"). The total first: most come from
 * device_tally. It tells how dense the matches are, and so whether to walk along the index of the order until the page
 * is full, or to collect the matches and sort them.
 */
import type { deviceSortFields } from '@ithings/contract/features/devices/info.ts'
import { type PageInput, type PageWindow, pageWindow, SortDirection } from '@ithings/contract/paging.ts'
import { type RawBuilder, sql } from 'kysely'
import { sortColumn } from '#db/page.ts'
import type { Db } from '#db/schema.ts'
import { fewMatches, findMatches } from './count-matches.ts'
import { pageByID, pageByName } from './deep-pages.ts'
import { type DeviceScope, isEveryDevice, isTallied, rowCondition, scopeCondition } from './device-scope.ts'

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

/** Never comes before all times: first upwards, last downwards. */
const mayBeNever = new Set(['first_login', 'last_login'])

interface OrderTerm {
  column: string
  desc: boolean
}

/** The device id decides among equals, in the direction of the last order, so that one index serves both ways. */
function orderTerms(page: PageInput): OrderTerm[] {
  const orders = page?.orders ?? []
  const terms: OrderTerm[] = []
  for (const { field, sort } of orders) {
    const found = sortColumn<readonly string[]>(columns, field)
    terms.push(...found.map((column) => ({ column, desc: sort === SortDirection.desc })))
  }
  // Without an order the newest come first; ids are given in the order of creation.
  return [...terms, { column: 'device_id', desc: terms.at(-1)?.desc ?? true }]
}

const orderBy = (terms: OrderTerm[], reverse = false): RawBuilder<unknown> =>
  sql.join(
    terms.map(({ column, desc }) => {
      const direction = desc === reverse ? sql`asc` : sql`desc`
      if (!mayBeNever.has(column)) return sql`${sql.ref(column)} ${direction}`
      return sql`${sql.ref(column)} ${direction} nulls ${desc === reverse ? sql`first` : sql`last`}`
    }),
  )

export interface PageOfIDs {
  ids: number[]
  total: number
}

/** Only the matches are visited, whatever the order. */
async function collect(
  db: Db,
  condition: RawBuilder<boolean>,
  terms: OrderTerm[],
  window: PageWindow,
): Promise<number[]> {
  const needed = sql.join([...new Set(['device_id', ...terms.map((term) => term.column)])].map((name) => sql.ref(name)))
  const { rows } = await sql<{ device_id: number }>`
    with matches as materialized (select ${needed} from device where ${condition})
    select device_id from matches order by ${orderBy(terms)} limit ${window.limit} offset ${window.offset}`.execute(db)
  return rows.map((row) => row.device_id)
}

interface Stretch {
  reverse: boolean
  offset: number
  limit: number
}

/** From the nearer end; an order is read backwards by turning it around. */
function nearerEnd({ offset, limit }: PageWindow, total: number): Stretch {
  const length = Math.min(limit, total - offset)
  const fromEnd = total - offset - length
  return fromEnd < offset
    ? { reverse: true, offset: fromEnd, limit: length }
    : { reverse: false, offset, limit: length }
}

async function walk(db: Db, scope: DeviceScope, terms: OrderTerm[], stretch: Stretch): Promise<number[]> {
  const { rows } = await sql<{ device_id: number }>`
    select device_id from device where ${rowCondition(scope)}
    order by ${orderBy(terms, stretch.reverse)} limit ${stretch.limit} offset ${stretch.offset}`.execute(db)
  const ids = rows.map((row) => row.device_id)
  return stretch.reverse ? ids.reverse() : ids
}

async function byName(db: Db, { offset, limit }: PageWindow, total: number, desc: boolean): Promise<number[]> {
  if (!desc) return pageByName(db, { offset, limit })
  const length = Math.min(limit, total - offset)
  return (await pageByName(db, { offset: total - offset - length, limit: length })).reverse()
}

export async function pageDevices(db: Db, scope: DeviceScope, page: PageInput): Promise<PageOfIDs> {
  const terms = orderTerms(page)
  const { total, devices, ids } = await findMatches(db, scope)
  if (total === 0) return { ids: [], total }
  const window = pageWindow(page, total)
  if (ids) return { ids: await collect(db, sql<boolean>`device_id = any(${ids}::bigint[])`, terms, window), total }
  const [first, ...more] = terms
  if (first && more.length === 0 && isEveryDevice(scope)) {
    return { ids: await pageByID(db, window, first.desc), total }
  }
  const stretch = nearerEnd(window, total)
  if (first?.column === 'device_name' && more.length === 1 && isEveryDevice(scope)) {
    return { ids: await byName(db, window, total, first.desc), total }
  }
  // Conditions of the tally are in every index of an order, and the planner knows how often they hold. Of the others it
  // knows little: the walk visits about this many rows before the page is full.
  const walked = ((stretch.offset + stretch.limit) * devices) / total
  const dense = isTallied(scope) ? total > fewMatches : walked < total
  const found = dense ? walk(db, scope, terms, stretch) : collect(db, scopeCondition(scope), terms, window)
  return { ids: await found, total }
}
