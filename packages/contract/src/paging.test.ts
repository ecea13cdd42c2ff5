import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  defaultPageSize,
  firstPage,
  historyWindow,
  maxPageSize,
  pageInput,
  pageWindow,
  sizeWithoutPage,
} from './paging.ts'

test('spec 9: the default page size is 10 and paging starts at page 1', () => {
  expect(defaultPageSize).toBe(10)
  expect(firstPage).toBe(1)
  expect(pageWindow({ size: defaultPageSize }, 95)).toEqual({ page: 1, size: 10, offset: 0, limit: 10 })
})

test('spec 5: the page number is clamped to at least 1', () => {
  for (const page of [0, -1, -1000]) expect(pageWindow({ page, size: 10 }, 95).page).toBe(1)
})

test('spec 5: the page number is clamped to at most the total page count', () => {
  expect(pageWindow({ page: 10, size: 10 }, 95)).toMatchObject({ page: 10, offset: 90 })
  expect(pageWindow({ page: 11, size: 10 }, 95)).toMatchObject({ page: 10, offset: 90 })
  expect(pageWindow({ page: 5, size: 10 }, 0)).toMatchObject({ page: 1, offset: 0 })
})

test('spec 5: the page size is at least 1', () => {
  for (const size of [-1, -100]) expect(pageWindow({ page: 1, size }, 95).size).toBe(1)
})

test('without a size a call answers up to 2,000 rows and never more than 10,000', () => {
  expect(pageWindow(undefined, 50_000).limit).toBe(sizeWithoutPage)
  expect(pageWindow({ size: 0 }, 50_000).limit).toBe(2000)
  expect(pageWindow({ size: 9_999_999 }, 50_000).limit).toBe(maxPageSize)
  expect(maxPageSize).toBe(10_000)
})

test('every window lies inside the rows and its page inside the pages', () => {
  const any = fc.option(fc.integer({ min: -1_000_000, max: 10_000_000 }), { nil: undefined })
  fc.assert(
    fc.property(any, any, fc.nat(3_000_000), (page, size, total) => {
      const window = pageWindow({ page, size }, total)
      expect(window.size).toBeGreaterThanOrEqual(1)
      expect(window.size).toBeLessThanOrEqual(maxPageSize)
      expect(window.limit).toBe(window.size)
      expect(window.page).toBeGreaterThanOrEqual(1)
      expect(window.page).toBeLessThanOrEqual(Math.max(1, Math.ceil(total / window.size)))
      expect(window.offset).toBe((window.page - 1) * window.size)
      if (total > 0) expect(window.offset).toBeLessThan(total)
    }),
  )
})

test('the pages of one size show every row exactly once', () => {
  fc.assert(
    fc.property(fc.nat(500), fc.integer({ min: 1, max: 60 }), (total, size) => {
      const seen: number[] = []
      for (let page = 1; page <= Math.max(1, Math.ceil(total / size)); page += 1) {
        const { offset, limit } = pageWindow({ page, size }, total)
        for (let row = offset; row < Math.min(offset + limit, total); row += 1) seen.push(row)
      }
      expect(seen).toEqual(Array.from({ length: total }, (_, row) => row))
    }),
  )
})

test('a history that is read page by page until nothing comes is read once', () => {
  fc.assert(
    fc.property(fc.nat(500), fc.integer({ min: 1, max: 60 }), (total, size) => {
      const seen: number[] = []
      for (let page = 1; ; page += 1) {
        const { offset, limit } = historyWindow({ page, size }, total)
        if (limit === 0) break
        for (let row = offset; row < Math.min(offset + limit, total); row += 1) seen.push(row)
      }
      expect(seen).toEqual(Array.from({ length: total }, (_, row) => row))
    }),
  )
  expect(historyWindow({ page: Number.MAX_SAFE_INTEGER, size: 10_000 }, 7)).toMatchObject({ offset: 7, limit: 0 })
  expect(historyWindow({ page: -3, size: 5 }, 7)).toMatchObject({ offset: 0, limit: 5 })
})

test('page, size and sort are read from numbers and digit text, unknown keys are ignored', () => {
  expect(pageInput.parse({ page: '2', size: '20', current: 2, orders: [{ field: 'id', sort: '2' }] })).toEqual({
    page: 2,
    size: 20,
    orders: [{ field: 'id', sort: 2 }],
  })
  expect(pageInput.parse(undefined)).toBeUndefined()
  expect(pageInput.parse({ orders: [{ field: 'id' }] })?.orders?.[0]?.sort).toBe(1)
})

test('a sort direction other than 1 and 2 and more than five orders are refused', () => {
  expect(pageInput.safeParse({ orders: [{ field: 'id', sort: 3 }] }).success).toBe(false)
  expect(pageInput.safeParse({ orders: Array(6).fill({ field: 'id' }) }).success).toBe(false)
})
