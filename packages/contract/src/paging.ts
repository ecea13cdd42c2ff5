/** Paging as http-api.md 1 and decisions.md 2 "Paging": clamped page, size at least 1, at most 10,000 rows a call. */
import * as z from 'zod'
import { int } from './wire.ts'

export const SortDirection = { asc: 1, desc: 2 } as const
export type SortDirection = (typeof SortDirection)[keyof typeof SortDirection]

/** spec 9: the console's default page size and first page. */
export const defaultPageSize = 10
export const firstPage = 1
/** Without a size the public platform answers up to this many rows. */
export const sizeWithoutPage = 2000
export const maxPageSize = 10_000

export const pageInput = z
  .object({
    page: int(Number.MIN_SAFE_INTEGER).optional(),
    size: int(Number.MIN_SAFE_INTEGER).optional(),
    orders: z
      .array(z.object({ field: z.string().max(64), sort: int(1, 2).default(SortDirection.asc) }))
      .max(5)
      .optional(),
  })
  .optional()
export type PageInput = z.output<typeof pageInput>

export interface PageWindow {
  page: number
  size: number
  offset: number
  limit: number
}

/** spec 5: the page number is clamped to [1, pages], the page size is at least 1. */
export function pageWindow(input: PageInput, total: number): PageWindow {
  const asked = input?.size ?? 0
  const size = asked === 0 ? sizeWithoutPage : Math.min(Math.max(asked, 1), maxPageSize)
  const pages = Math.max(1, Math.ceil(total / size))
  const page = Math.min(Math.max(input?.page ?? firstPage, 1), pages)
  return { page, size, offset: (page - 1) * size, limit: size }
}

/** Of a history, which programs read page by page until nothing comes: behind the end there is nothing. */
export function historyWindow(input: PageInput, total: number): PageWindow {
  const { size } = pageWindow(input, total)
  const page = Math.max(input?.page ?? firstPage, 1)
  const offset = Math.min((page - 1) * size, total)
  return { page, size, offset, limit: offset < total ? size : 0 }
}

export const pageOf = <T extends z.ZodType>(item: T) => z.object({ list: z.array(item), total: z.int() })
